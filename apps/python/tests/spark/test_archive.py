import hashlib
import os
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fake_bundle import description_of, write_archive

from groundrule_spark import ArchiveError
from groundrule_spark._archive import describe, unpacked

FILES = {"bin/groundrule": b"#!/bin/sh\n", "data/é.bin": os.urandom(300_000)}


def test_unpacks_whole_once_and_leaves_nothing_aside(tmp_path: Path) -> None:
    archive = tmp_path / "an archive.tar.gz"
    digest = write_archive(archive, FILES)
    with ThreadPoolExecutor(8) as pool:
        folders = set(pool.map(lambda _: unpacked(archive, digest, tmp_path), range(8)))
    assert len(folders) == 1
    folder = folders.pop()
    assert (folder / "data/é.bin").read_bytes() == FILES["data/é.bin"]
    assert os.access(folder / "bin/groundrule", os.X_OK)
    assert {each.name for each in (tmp_path / "bundles").iterdir()} == {digest, f"{digest}.lock"}


def test_needs_the_archive_no_more_once_it_is_unpacked(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar.gz"
    digest = write_archive(archive, FILES)
    folder = unpacked(archive, digest, tmp_path)
    archive.unlink()
    assert unpacked(archive, digest, tmp_path) == folder


def test_unpacks_anew_what_lost_a_file(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar.gz"
    digest = write_archive(archive, FILES)
    folder = unpacked(archive, digest, tmp_path)
    (folder / "data/é.bin").unlink()
    assert (unpacked(archive, digest, tmp_path) / "data/é.bin").exists()


def test_any_flipped_byte_is_refused_or_changes_nothing(tmp_path: Path) -> None:
    whole = tmp_path / "whole.tar.gz"
    digest = write_archive(whole, FILES)
    content = whole.read_bytes()
    refused = 0
    for at in [*range(0, 40), *range(40, len(content), len(content) // 150), len(content) - 9, len(content) - 1]:
        flipped = bytearray(content)
        flipped[at] ^= 0x10
        damaged = tmp_path / "damaged.tar.gz"
        damaged.write_bytes(flipped)
        cache = tmp_path / f"cache {at}"
        try:
            folder = unpacked(damaged, digest, cache)
        except ArchiveError:
            refused += 1
            assert not (cache / "bundles" / digest).exists()
        else:
            assert (folder / "data/é.bin").read_bytes() == FILES["data/é.bin"]
    assert refused > 150


def test_refuses_an_archive_cut_short(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar.gz"
    digest = write_archive(archive, FILES)
    archive.write_bytes(archive.read_bytes()[:-1000])
    with pytest.raises(ArchiveError, match="damaged"):
        unpacked(archive, digest, tmp_path)


def test_refuses_another_archive_than_was_asked_for(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar.gz"
    write_archive(archive, FILES)
    with pytest.raises(ArchiveError, match="expected 0000000000000000"):
        unpacked(archive, "0" * 64, tmp_path)


@pytest.mark.parametrize("path", ["../outside", "/absolute", "data/../../outside", "a\\b"])
def test_refuses_paths_that_lead_out(tmp_path: Path, path: str) -> None:
    archive = tmp_path / "a.tar.gz"
    digest = write_archive(archive, {**FILES, path: b"x"})
    with pytest.raises(ArchiveError, match="expected one within it"):
        unpacked(archive, digest, tmp_path / "cache")
    assert not (tmp_path / "outside").exists()


def test_refuses_links_and_files_that_are_not_described(tmp_path: Path) -> None:
    link = tarfile.TarInfo("data/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    stray = tarfile.TarInfo("../stray")
    again = tarfile.TarInfo("bin/groundrule")
    for extra in (link, stray, again):
        archive = tmp_path / "a.tar.gz"
        digest = write_archive(archive, FILES, extra=[extra])
        with pytest.raises(ArchiveError, match=r"expected the files that its bundle\.json names"):
            unpacked(archive, digest, tmp_path / "cache")


def test_refuses_a_description_that_was_changed(tmp_path: Path) -> None:
    description = description_of(FILES)
    description["editions"][0]["edition"] = "c" * 64
    archive = tmp_path / "a.tar.gz"
    write_archive(archive, FILES, description)
    with pytest.raises(ArchiveError, match=r"bundle\.json of .* is damaged"):
        describe(archive)


@pytest.mark.parametrize("shared", ["bundles", "."])
def test_refuses_a_cache_that_others_may_write_to(tmp_path: Path, shared: str) -> None:
    base = tmp_path / "cache"
    (base / "bundles").mkdir(parents=True)
    (base / shared).chmod(0o777)
    archive = tmp_path / "a.tar.gz"
    digest = write_archive(archive, FILES)
    with pytest.raises(ArchiveError, match="others may write to it"):
        unpacked(archive, digest, base)


def test_reads_what_groundrule_bundle_wrote(archive: Path, cache: Path) -> None:
    description = describe(archive)
    assert archive.name == f"groundrule-{description.digest[:16]}.tar.gz"
    folder = unpacked(archive, description.digest, cache)
    for path, (size, digest) in description.files.items():
        content = (folder / path).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (size, digest)
