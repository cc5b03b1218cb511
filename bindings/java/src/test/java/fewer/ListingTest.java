package fewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListingTest {
    @TempDir Path top;

    @BeforeEach
    void grow() throws Exception {
        Shell.output(
                top,
                "printf 12345 >b && printf 1 >a10 && printf 12 >a9 && mkdir d && ln -s b l"
                        + " && ln -s nowhere broken && touch .hidden && chmod 4751 b"
                        + " && touch -d @-1.5 a9");
    }

    private static List<String> names(List<Row> rows) {
        return rows.stream().map(Row::name).toList();
    }

    @Test
    void whatStatSaysOfEach() throws Exception {
        List<Row> rows = Fewer.list(top);
        List<String> stats =
                Shell.lines(top, "stat -c '%n %i %s %b %h %u %g %a' .hidden a10 a9 b broken d l");
        for (int at = 0; at < stats.size(); at++) {
            Row row = rows.get(at);
            Stat stat = row.stat();
            String said = String.join(
                    " ", row.name(), "" + stat.inode(), "" + stat.size(),
                    "" + stat.allocated() / 512, "" + stat.links(), "" + stat.user(),
                    "" + stat.group(), Integer.toOctalString(stat.permissions()));
            assertEquals(stats.get(at), said);
        }
        assertEquals(stats.size(), rows.size());
    }

    @Test
    void timesArePointsInTimeBefore1970Too() throws Exception {
        Row row = Listing.of(top.resolve("")).read().get(2);
        assertEquals("1969-12-31T23:59:58.500Z", row.stat().modified().get().toString());
        assertEquals(
                Files.getLastModifiedTime(top.resolve("a9")).toInstant(),
                row.stat().modified().get());
        assertEquals(
                PosixFilePermissions.fromString("rwxr-x--x"),
                Fewer.list(top).get(3).stat().posixPermissions());
    }

    @Test
    void optionsChooseAndSort() throws Exception {
        Listing listing = Listing.of(top).hidden(false);
        assertEquals(List.of("a10", "a9", "b", "broken", "d", "l"), names(listing.read()));
        assertEquals(
                List.of("a9", "a10", "b", "broken", "d", "l"),
                names(listing.order(Order.VERSION).read()));
        assertEquals(
                List.of("l", "d", "broken", "b", "a9", "a10"),
                names(listing.reverse(true).read()));
        assertEquals("d", listing.directoriesFirst(true).read().get(0).name());
        assertEquals("a9", listing.order(Order.MODIFIED).reverse(true).read().get(0).name());
        assertEquals(
                List.of(".", ".."), names(Listing.of(top).dots(true).read()).subList(0, 2));
    }

    @Test
    void linksSayWhereTheyLead() throws Exception {
        List<Row> rows = Listing.of(top).targets(true).fields(Field.SIZE).read();
        assertEquals(Optional.of("nowhere"), rows.get(4).target());
        assertEquals(Kind.SYMLINK, rows.get(4).kind());
        assertEquals(Optional.empty(), rows.get(0).target());
        List<Row> followed = Listing.of(top).follow(true).read();
        assertEquals(5, followed.get(6).stat().size());
        Row broken = followed.get(4);
        assertEquals(
                "cannot stat '" + top + "/broken': No such file or directory",
                broken.error().get().getMessage());
        assertTrue(rows.get(4).error().isEmpty() && rows.get(4).targetError().isEmpty());
    }

    @Test
    void ownersHaveNames() throws Exception {
        List<String> owner = Shell.lines(top, "stat -c %U b; stat -c %G b");
        Row row = Listing.of(top).owners(true).read().get(3);
        assertEquals(owner, List.of(row.userName().get(), row.groupName().get()));
        assertEquals(Optional.empty(), Fewer.list(top).get(3).userName());
    }

    @Test
    void namesAloneCostNoStat() throws Exception {
        Cost cost = new Cost();
        List<Row> rows = Listing.of(top).fields().read();
        assertEquals(0, cost.of("statx"));
        assertEquals(Kind.DIRECTORY, rows.get(5).kind());
        assertTrue(rows.get(5).stat().modified().isEmpty());
        cost = new Cost();
        Fewer.list(top);
        assertEquals(7, cost.of("statx"));
    }

    @Test
    void whatIsNoDirectoryIsAnError() {
        assertThrows(
                java.nio.file.NotDirectoryException.class, () -> Fewer.list(top.resolve("b")));
        assertFalse(Files.exists(top.resolve("none")));
        assertThrows(
                java.nio.file.NoSuchFileException.class, () -> Fewer.list(top.resolve("none")));
    }
}
