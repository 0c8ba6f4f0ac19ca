import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def archive() -> Path:
    """An archive of `groundrule bundle`."""
    path = os.environ.get("GROUNDRULE_TEST_ARCHIVE")
    if path is None:
        pytest.skip("GROUNDRULE_TEST_ARCHIVE names no archive")
    return Path(path)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("the cache")
