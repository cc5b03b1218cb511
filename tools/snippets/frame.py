"""Runs the snippets in the folder of the first argument, each in a folder of its own."""

import fcntl, functools, os, pathlib, pwd, select, selectors, shutil, signal, socket, stat
import subprocess, sys, time


def names(place):
    """What programs have of their own."""
    own = ["enter", "found", "missing", "handle", "save", "search", "show", "update", "work"]
    given = dict.fromkeys(own, lambda *what: None)
    os.mkdir("folder")
    for path in "file", "folder/name":
        pathlib.Path(path).write_text("line 1\nline 2\n")
    sock, other = socket.socketpair()
    other.send(b"x")
    selector = selectors.DefaultSelector()
    selector.register(other, selectors.EVENT_WRITE)
    waiting, end = os.pipe()
    os.write(end, b"x")
    given |= dict(
        path="file", directory="folder", folder="folder/new/sub", name="name", source="file",
        target="copy", number=1, size=2, when=1e9, uid=0, items=["one", "two"], line="one",
        lines=["one\n", "two\n"], blocks=[b"one"], item="nothing", state={}, sock=sock, other=other,
        selector=selector, waiting=waiting, end=end, show_attributes=True, file=open("file", "rb"),
        fd=os.open("file", os.O_RDWR), out=open("out", "w"), pipe=open("pipe", "wb"),
    )
    return {**globals(), **given}


def main(snippets, scratch):
    failed = False
    for file in sorted(pathlib.Path(snippets).iterdir()):
        place = pathlib.Path(scratch, file.name)
        place.mkdir()
        os.chdir(place)
        text = file.read_text()
        signal.alarm(20)
        output, sys.stdout = sys.stdout, open(os.devnull, "w")
        try:
            given = names(place)
            exec(compile(text, file.name, "exec"), given)
        except Exception as error:
            failed = True
            print(f"{file.name}: {error!r}", file=output)
        sys.stdout = output
    signal.alarm(0)
    return failed


sys.exit(main(*sys.argv[1:]))
