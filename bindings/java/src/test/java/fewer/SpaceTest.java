package fewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpaceTest {
    @TempDir Path top;
    private Path root;

    @BeforeEach
    void grow() throws Exception {
        Shell.output(
                top,
                "mkdir -p t/d && head -c 100000 /dev/zero | tr '\\0' x >t/d/big.txt"
                        + " && ln t/d/big.txt t/same.txt && printf 123 >t/small && ln -s x t/link"
                        + " && touch -d '2001-02-03 04:05:06 UTC' t/small");
        root = top.resolve("t");
    }

    @Test
    void duSaysTheSame() throws Exception {
        List<String> du = Shell.lines(root, "du -B1 -d1 . | sort -k2 | cut -f1");
        List<String> ours = new ArrayList<>();
        for (SizeRow row : Walk.of(root).size(1)) {
            ours.add("" + row.space().allocated());
        }
        assertEquals(du, ours);
        String linked = Shell.lines(root, "du -B1 -s -l . | cut -f1").get(0);
        SizeRow all = Walk.of(root).size(0, SizeOption.COUNT_LINKS).get(0);
        assertEquals(linked, "" + all.space().allocated());
        assertEquals(root.toString(), all.path());
        assertEquals(Kind.DIRECTORY, all.kind());
        assertEquals(6, all.space().entries());
        assertEquals(6, Walk.of(root).size(5, SizeOption.FILES).size() + 1);
    }

    @Test
    void aSummaryHasNumbers() throws Exception {
        Summary summary = Walk.of(root).summary();
        assertEquals(2, summary.directories().entries());
        assertEquals(3, summary.files().entries());
        assertEquals(100_003, summary.files().size());
        assertEquals(1, summary.links().entries());
        assertEquals(0, summary.other().entries());
        assertEquals(6, summary.all().entries());
        assertEquals(Optional.of("txt"), summary.extensions().get(0).name());
        assertEquals(Optional.of(""), summary.extensions().get(1).name());
        assertEquals(3, summary.extensions().get(1).space().size());
        assertEquals(100_000, summary.largest().get(0).value());
        assertEquals(2, summary.deepest().get().value());
        assertEquals(root + "/small", summary.oldest().get().path());
        assertEquals(
                "2001-02-03T04:05:06Z", summary.oldest().get().modified().get().toString());
        assertEquals((root + "/d/big.txt").length(), summary.longest().get().value());
        assertEquals(Optional.empty(), summary.longest().get().modified());
    }

    @Test
    void aTreeWithoutFilesHasNoNewest() throws Exception {
        Summary summary = Walk.of(root.resolve("link")).summary();
        assertEquals(Optional.empty(), summary.newest());
        assertEquals(List.of(), summary.largest());
        assertEquals(1, summary.all().entries());
    }

    @Test
    void whatIsMissingIsAnError() throws Exception {
        Path none = top.resolve("none");
        assertThrows(IOException.class, () -> Walk.of(none).size(0));
        assertThrows(IOException.class, () -> Walk.of(none).summary());
        List<IOException> errors = new ArrayList<>();
        assertEquals(List.of(), Walk.of(none).onError(errors::add).size(0));
        assertEquals(0, Walk.of(none).onError(errors::add).summary().all().entries());
        assertEquals(2, errors.size());
    }
}
