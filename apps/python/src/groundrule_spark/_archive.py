"""Archives of `groundrule bundle`: what they say of themselves, and where they lie unpacked on this machine."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from groundrule_spark._errors import ArchiveError

DESCRIPTION = "bundle.json"
PROGRAM = "bin/groundrule"
RULESET = "ruleset.json"

_DESCRIPTION_BYTES = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Description:
    """The content of `bundle.json`; its digest was found to be that of the rest."""

    digest: str
    platform: str | None
    ruleset_digest: str
    engine_version: str
    semantics: int
    editions: dict[str, str]
    #: Size and SHA-256 of every other file by its path.
    files: dict[str, tuple[int, str]]


def checks_of(archive: Path) -> list[str]:
    """Ids of the checks of an archive's ruleset, in its order. Raises `ArchiveError` where it has none."""
    content = b""
    if archive.is_dir():
        content = _read_file(archive / RULESET)
    else:
        with _opened(archive) as tar:
            for member in tar:
                if member.name == RULESET and member.isreg():
                    content = _read_member(tar, member, archive)
                    break
    try:
        return [check["id"] for check in json.loads(content)["checks"]]
    except (ValueError, TypeError, KeyError) as error:
        raise ArchiveError(f"found no ruleset with checks at {RULESET} in {archive}") from error


def describe(archive: Path) -> Description:
    """Reads what an archive, or the folder that it was unpacked to, says of itself.

    Raises `ArchiveError` where it is none.
    """
    if archive.is_dir():
        return _described(_read_file(archive / DESCRIPTION), archive)
    with _opened(archive) as tar:
        for member in tar:
            if member.name == DESCRIPTION and member.isreg():
                return _described(_read_member(tar, member, archive), archive)
    raise ArchiveError(f"found no {DESCRIPTION} in {archive}, expected an archive of groundrule bundle")


def unpacked(archive: Path, digest: str, cache: Path | None = None) -> Path:
    """The folder of an archive on this machine: unpacked by the first who asks, whole and checked, or not there.

    :param digest: of the archive that is meant
    :param cache: folder for what is unpacked; default: the user's own cache
    Raises `ArchiveError` for an archive that is another, damaged, or holds what does not belong there.
    """
    root = _own_folder(cache)
    target = root / digest
    with _lock(root / f"{digest}.lock"):
        if target.is_dir():
            if _is_complete(target, digest):
                return target
            target.rename(tempfile.mkdtemp(dir=root, prefix=f".removed-{digest}-"))
        for left in root.glob(f".*{digest}-*"):  # by those who were killed
            shutil.rmtree(left, ignore_errors=True)
        description = describe(archive)
        if description.digest != digest:
            raise ArchiveError(f"found the archive {description.digest[:16]} at {archive}, expected {digest[:16]}")
        aside = Path(tempfile.mkdtemp(dir=root, prefix=f".{digest}-"))
        try:
            _unpack(archive, description, aside)
            aside.rename(target)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return target


def check_folder(folder: Path, description: Description) -> None:
    """Checks that a folder has the files of a bundle as they were. Raises `ArchiveError`."""
    for path, (size, digest) in description.files.items():
        found = folder / path
        hash_ = hashlib.sha256()
        try:
            with found.open("rb") as file:
                while piece := file.read(_PIECE_BYTES):
                    hash_.update(piece)
        except OSError as error:
            raise ArchiveError(f"cannot read {found}: {error.strerror}") from error
        if hash_.hexdigest() != digest:
            raise ArchiveError(f"{found} is damaged: found the digest {hash_.hexdigest()}, expected {digest}")
        if size != found.stat().st_size:
            raise ArchiveError(f"{found} is damaged: found {found.stat().st_size} bytes, expected {size}")


def _described(content: bytes, archive: Path) -> Description:
    try:
        value: dict[str, Any] = json.loads(content)
        rest = {name: member for name, member in value.items() if name not in ("bundle", "digest")}
        told = json.dumps(rest, separators=(",", ":"), ensure_ascii=False).encode()
        description = Description(
            digest=value["digest"],
            platform=value["platform"],
            ruleset_digest=value["ruleset"]["digest"],
            engine_version=value["engine_version"],
            semantics=value["semantics"],
            editions={each["source_name"]: each["edition"] for each in value["editions"]},
            files={each["path"]: (each["bytes"], each["sha256"]) for each in value["files"]},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ArchiveError(f"{DESCRIPTION} of {archive} is not that of a bundle: {error!r}") from error
    found = hashlib.sha256(told).hexdigest()
    if value.get("bundle") != 1:
        raise ArchiveError(f"found a bundle of version {value.get('bundle')!r} in {archive}, expected 1")
    if found != description.digest:
        raise ArchiveError(
            f"{DESCRIPTION} of {archive} is damaged: found the digest {found}, expected {description.digest}"
        )
    for path in description.files:
        _check_path(path, archive)
    if PROGRAM not in description.files:
        raise ArchiveError(f"found no {PROGRAM} in {archive}, expected an archive of groundrule bundle")
    return description


def _check_path(path: str, archive: Path) -> None:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or "\\" in path or "\0" in path or ".." in parts:
        raise ArchiveError(f"found the path {path!r} in {archive}, expected one within it")


def _unpack(archive: Path, description: Description, folder: Path) -> None:
    missing = set(description.files)
    if archive.is_dir():
        check_folder(archive, description)
        shutil.copytree(archive, folder, dirs_exist_ok=True)
        return
    with _opened(archive) as tar:
        for member in tar:
            path = member.name
            if member.isdir():
                continue
            if path == DESCRIPTION and member.isreg():
                (folder / DESCRIPTION).write_bytes(_read_member(tar, member, archive))
                continue
            if not member.isreg() or path not in missing:
                raise ArchiveError(
                    f"found {path!r} in {archive}, expected the files that its {DESCRIPTION} names, once"
                )
            missing.remove(path)
            _write_member(tar, member, archive, folder / path, *description.files[path])
    if missing:
        raise ArchiveError(f"found no {min(missing)} in {archive}, which its {DESCRIPTION} names")


def _write_member(
    tar: tarfile.TarFile, member: tarfile.TarInfo, archive: Path, path: Path, size: int, digest: str
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    hash_ = hashlib.sha256()
    with _content(tar, member) as content, path.open("xb") as file:
        while piece := content.read(_PIECE_BYTES):
            hash_.update(piece)
            file.write(piece)
    if member.size != size or hash_.hexdigest() != digest:
        raise ArchiveError(f"{member.name} in {archive} is damaged: its digest is not {digest}")
    path.chmod(0o755 if member.mode & stat.S_IXUSR else 0o644)


def _read_member(tar: tarfile.TarFile, member: tarfile.TarInfo, archive: Path) -> bytes:
    if member.size > _DESCRIPTION_BYTES:
        raise ArchiveError(f"found {member.size} bytes of {member.name} in {archive}")
    with _content(tar, member) as content:
        return content.read()


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = tar.extractfile(member)
    assert content is not None  # it is a regular file
    return content


@contextlib.contextmanager
def _opened(archive: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(archive, "r|gz") as tar:
            yield tar
    except (tarfile.TarError, zlib.error, EOFError) as error:
        raise ArchiveError(f"{archive} is damaged, or no archive of groundrule bundle: {error}") from error
    except OSError as error:
        raise ArchiveError(f"cannot read {archive}: {error.strerror or error}") from error


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArchiveError(f"cannot read {path}: {error.strerror}") from error


def _is_complete(folder: Path, digest: str) -> bool:
    """True if the files of a checked folder are still there; a clean-up may have removed some."""
    try:
        description = _described(_read_file(folder / DESCRIPTION), folder)
        return description.digest == digest and all(
            (folder / path).stat().st_size == size for path, (size, _) in description.files.items()
        )
    except (ArchiveError, OSError):
        return False


def _own_folder(cache: Path | None) -> Path:
    """The folder for bundles, which nobody else may write to: what lies there is run."""
    tried = []
    for base in [cache] if cache is not None else _caches():
        folder = base / "bundles"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # The owner of the parent folder could put another in its place.
            held = [_is_own(base.lstat()), _is_own(folder.lstat())]
        except OSError as error:
            tried.append(f"{folder}: {error.strerror}")
            continue
        if all(held):
            return folder
        tried.append(f"{folder}: others may write to it")
    raise ArchiveError(f"found no folder to unpack to ({'; '.join(tried)}); name one by cache_dir")


def _is_own(found: os.stat_result) -> bool:
    """True for a folder of this user that nobody else may write to; always true on systems without users."""
    if not hasattr(os, "getuid"):
        return True
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _caches() -> Iterator[Path]:
    given = os.environ.get("XDG_CACHE_HOME")
    if given and Path(given).is_absolute():
        yield Path(given) / "groundrule"
    with contextlib.suppress(RuntimeError):
        yield Path.home() / ".cache" / "groundrule"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"groundrule-{user}"


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Holds a lock among the processes of this machine; the system releases it where its holder is killed."""
    try:
        import fcntl
    except ImportError:  # Windows: whoever comes second finds the name taken, and fails
        yield
        return
    with path.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
