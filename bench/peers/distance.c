/*
 * All areas within a planar distance of each plot, as GEOS's experts do it: an STRtree over the
 * areas, prepared areas, PreparedDistanceWithin, then PreparedDistance. Everything is built and
 * prepared before the clock starts, the plots included.
 *
 * usage: distance <layer file> <plot file> <radius in degrees>
 * Files: int32 count; for each geometry int32 rings, for each ring int32 positions, then the
 * positions as doubles. Every ring is a polygon of its own.
 * For every line on standard input one pass over all plots is run and its CPU seconds, hits and sum
 * of distances are printed. The first pass warms GEOS's lazy indexes.
 */
#include <geos_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void silent(const char *format, ...) { (void)format; }

static int readInt(FILE *file) {
  int value;
  if (fread(&value, sizeof value, 1, file) != 1) exit(2);
  return value;
}

static GEOSGeometry **readGeometries(const char *path, int *count) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(2);
  *count = readInt(file);
  GEOSGeometry **all = malloc(sizeof(GEOSGeometry *) * (*count));
  for (int g = 0; g < *count; g++) {
    int rings = readInt(file);
    GEOSGeometry **polygons = malloc(sizeof(GEOSGeometry *) * rings);
    for (int r = 0; r < rings; r++) {
      int n = readInt(file);
      double *xy = malloc(sizeof(double) * 2 * n);
      if (fread(xy, sizeof(double) * 2, n, file) != (size_t)n) exit(2);
      GEOSCoordSequence *sequence = GEOSCoordSeq_copyFromBuffer(xy, n, 0, 0);
      polygons[r] = GEOSGeom_createPolygon(GEOSGeom_createLinearRing(sequence), NULL, 0);
      free(xy);
    }
    all[g] = rings == 1 ? polygons[0] : GEOSGeom_createCollection(GEOS_MULTIPOLYGON, polygons, rings);
    free(polygons);
  }
  fclose(file);
  return all;
}

struct found {
  int *areas;
  int count;
};

static void collect(void *item, void *data) {
  struct found *found = data;
  found->areas[found->count++] = (int)(long)item - 1;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  initGEOS(silent, silent);
  int areaCount, plotCount;
  GEOSGeometry **areas = readGeometries(argv[1], &areaCount);
  GEOSGeometry **plots = readGeometries(argv[2], &plotCount);
  double radius = atof(argv[3]);
  GEOSSTRtree *tree = GEOSSTRtree_create(10);
  const GEOSPreparedGeometry **prepared = malloc(sizeof(*prepared) * areaCount);
  for (int i = 0; i < areaCount; i++) {
    prepared[i] = GEOSPrepare(areas[i]);
    GEOSSTRtree_insert(tree, areas[i], (void *)(long)(i + 1));
  }
  GEOSGeometry **windows = malloc(sizeof(GEOSGeometry *) * plotCount);
  for (int i = 0; i < plotCount; i++) {
    double west, south, east, north;
    GEOSGeom_getXMin(plots[i], &west);
    GEOSGeom_getYMin(plots[i], &south);
    GEOSGeom_getXMax(plots[i], &east);
    GEOSGeom_getYMax(plots[i], &north);
    windows[i] = GEOSGeom_createRectangle(west - radius, south - radius, east + radius, north + radius);
  }
  struct found found = {malloc(sizeof(int) * areaCount), 0};
  char line[64];
  printf("ready %s\n", GEOSversion());
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    clock_t start = clock();
    long hits = 0;
    double sum = 0;
    for (int i = 0; i < plotCount; i++) {
      found.count = 0;
      GEOSSTRtree_query(tree, windows[i], collect, &found);
      for (int k = 0; k < found.count; k++) {
        const GEOSPreparedGeometry *area = prepared[found.areas[k]];
        if (GEOSPreparedDistanceWithin(area, plots[i], radius) != 1) continue;
        double distance;
        GEOSPreparedDistance(area, plots[i], &distance);
        hits++;
        sum += distance;
      }
    }
    printf("%.6f %ld %.9f\n", (double)(clock() - start) / CLOCKS_PER_SEC, hits, sum);
    fflush(stdout);
  }
  return 0;
}
