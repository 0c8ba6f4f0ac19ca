/*
 * GEOS from C, as an expert would use it: the peer of bench/kernel.ts.
 *
 *   cc -O2 -o geos geos.c -lgeos_c && ./geos scenario.bin
 *
 * The scenario file holds 32-bit and 64-bit little-endian numbers: the number of areas, then for each
 * its positions and their x y; the same for the plots. One polygon without holes each.
 *
 * Commands come a line at a time on standard input, so that engines can take turns:
 *   plain | prepared | subdivided | meets | meets-plain   one pass over all plots; prints
 *   "<CPU microseconds a plot> <hits> <sum of overlap areas in square degrees>"
 *   overlaps FILE   writes each plot's overlap area and number of hits (two doubles a plot)
 *   version
 * `plain` intersects every candidate, `prepared` asks prepared geometries first (intersects, then
 * covers) and constructs only what crosses, `subdivided` does the same on pieces of at most 128
 * vertices, cut beforehand. `meets` stops at the predicate.
 */
#include <geos_c.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PIECE_VERTICES 128

typedef struct {
  GEOSGeometry *geometry;
  const GEOSPreparedGeometry *prepared;
  int area;
} Item;

typedef struct {
  Item *items;
  int count, capacity;
  GEOSSTRtree *tree;
} Layer;

static GEOSContextHandle_t context;
static Layer areas, pieces;
static GEOSGeometry **plots;
static double *plot_areas;
static int plot_count;

static void fail(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}

static void on_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

static void add(Layer *layer, GEOSGeometry *geometry, int area) {
  if (layer->count == layer->capacity) {
    layer->capacity = layer->capacity ? 2 * layer->capacity : 64;
    layer->items = realloc(layer->items, sizeof(Item) * layer->capacity);
  }
  layer->items[layer->count++] = (Item){geometry, GEOSPrepare_r(context, geometry), area};
}

static void index_layer(Layer *layer) {
  layer->tree = GEOSSTRtree_create_r(context, 10);
  for (int i = 0; i < layer->count; i++)
    GEOSSTRtree_insert_r(context, layer->tree, layer->items[i].geometry, &layer->items[i]);
}

static GEOSGeometry *read_polygon(FILE *file) {
  uint32_t count;
  if (fread(&count, 4, 1, file) != 1) fail("scenario ends early");
  double *xy = malloc(16 * (size_t)count);
  if (fread(xy, 16, count, file) != count) fail("scenario ends early");
  GEOSCoordSequence *sequence = GEOSCoordSeq_copyFromBuffer_r(context, xy, count, 0, 0);
  free(xy);
  return GEOSGeom_createPolygon_r(context, GEOSGeom_createLinearRing_r(context, sequence), NULL, 0);
}

/* Halves the longer side of the envelope until a part has few vertices. */
static void subdivide(const GEOSGeometry *geometry, int area) {
  int parts = GEOSGetNumGeometries_r(context, geometry);
  if (parts > 1 || GEOSGeomTypeId_r(context, geometry) >= GEOS_MULTIPOINT) {
    for (int i = 0; i < parts; i++) subdivide(GEOSGetGeometryN_r(context, geometry, i), area);
    return;
  }
  if (GEOSGeomTypeId_r(context, geometry) != GEOS_POLYGON || GEOSisEmpty_r(context, geometry)) return;
  if (GEOSGetNumCoordinates_r(context, geometry) <= PIECE_VERTICES) {
    add(&pieces, GEOSGeom_clone_r(context, geometry), area);
    return;
  }
  double w, s, e, n;
  GEOSGeom_getXMin_r(context, geometry, &w);
  GEOSGeom_getYMin_r(context, geometry, &s);
  GEOSGeom_getXMax_r(context, geometry, &e);
  GEOSGeom_getYMax_r(context, geometry, &n);
  for (int half = 0; half < 2; half++) {
    GEOSGeometry *part;
    if (e - w > n - s) {
      double m = (w + e) / 2;
      part = GEOSClipByRect_r(context, geometry, half ? m : w, s, half ? e : m, n);
    } else {
      double m = (s + n) / 2;
      part = GEOSClipByRect_r(context, geometry, w, half ? m : s, e, half ? n : m);
    }
    if (!part) fail("GEOSClipByRect failed");
    subdivide(part, area);
    GEOSGeom_destroy_r(context, part);
  }
}

typedef struct {
  int plot, construct, prepared, hits;
  double overlap;
  int seen[64], seen_count;
} Query;

static void count_hit(Query *query, int area) {
  for (int i = 0; i < query->seen_count; i++)
    if (query->seen[i] == area) return;
  if (query->seen_count < 64) query->seen[query->seen_count++] = area;
  query->hits++;
}

static void visit(void *found, void *data) {
  Item *item = found;
  Query *query = data;
  const GEOSGeometry *plot = plots[query->plot];
  if (query->prepared) {
    if (!GEOSPreparedIntersects_r(context, item->prepared, plot)) return;
    count_hit(query, item->area);
    if (!query->construct) return;
    if (GEOSPreparedCovers_r(context, item->prepared, plot)) {
      query->overlap += plot_areas[query->plot];
      return;
    }
  } else {
    if (!GEOSIntersects_r(context, item->geometry, plot)) return;
    count_hit(query, item->area);
    if (!query->construct) return;
  }
  GEOSGeometry *common = GEOSIntersection_r(context, item->geometry, plot);
  if (!common) fail("GEOSIntersection failed");
  double area = 0;
  GEOSArea_r(context, common, &area);
  GEOSGeom_destroy_r(context, common);
  query->overlap += area;
}

static void pass(Layer *layer, int construct, int prepared, FILE *out) {
  long hits = 0;
  double overlap = 0;
  struct timespec start, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  for (int i = 0; i < plot_count; i++) {
    Query query = {.plot = i, .construct = construct, .prepared = prepared};
    GEOSSTRtree_query_r(context, layer->tree, plots[i], visit, &query);
    hits += query.hits;
    overlap += query.overlap;
    if (out) {
      double row[2] = {query.overlap, query.hits};
      fwrite(row, sizeof row, 1, out);
    }
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  if (out) fflush(out);
  double micros = (end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) / 1e3;
  printf("%.3f %ld %.17g\n", micros / plot_count, hits, overlap);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 2) fail("usage: geos scenario.bin");
  context = GEOS_init_r();
  GEOSContext_setErrorHandler_r(context, on_error);
  FILE *file = fopen(argv[1], "rb");
  if (!file) fail("cannot open the scenario");
  uint32_t count;
  if (fread(&count, 4, 1, file) != 1) fail("scenario ends early");
  for (uint32_t i = 0; i < count; i++) add(&areas, read_polygon(file), (int)i);
  if (fread(&count, 4, 1, file) != 1) fail("scenario ends early");
  plot_count = (int)count;
  plots = malloc(sizeof *plots * count);
  plot_areas = malloc(sizeof *plot_areas * count);
  for (uint32_t i = 0; i < count; i++) {
    plots[i] = read_polygon(file);
    GEOSArea_r(context, plots[i], &plot_areas[i]);
  }
  fclose(file);
  index_layer(&areas);

  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "version")) {
      printf("%s\n", GEOSversion());
      fflush(stdout);
    } else if (!strcmp(line, "plain")) {
      pass(&areas, 1, 0, NULL);
    } else if (!strcmp(line, "prepared")) {
      pass(&areas, 1, 1, NULL);
    } else if (!strcmp(line, "meets")) {
      pass(&areas, 0, 1, NULL);
    } else if (!strcmp(line, "meets-plain")) {
      pass(&areas, 0, 0, NULL);
    } else if (!strcmp(line, "subdivided")) {
      if (!pieces.tree) {
        for (int i = 0; i < areas.count; i++) subdivide(areas.items[i].geometry, i);
        index_layer(&pieces);
      }
      pass(&pieces, 1, 1, NULL);
    } else if (!strncmp(line, "overlaps ", 9)) {
      FILE *out = fopen(line + 9, "wb");
      if (!out) fail("cannot write overlaps");
      pass(&areas, 1, 1, out);
      fclose(out);
    } else {
      fail("unknown command");
    }
  }
  return 0;
}
