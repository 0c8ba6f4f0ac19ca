/*
 * GEOS from C, as an expert would use it: a peer. `geos.ts` compiles it.
 *
 *   cc -O2 -o geos geos.c -lgeos_c && ./geos scenario.bin
 *
 * The scenario file holds little-endian numbers: the number of areas, then of each the number of its
 * polygons, of each of those the number of rings, of each ring the number of positions (32 bits each)
 * and their x y (64 bits); the same for the plots.
 *
 * Commands come a line at a time on standard input, so that engines can take turns:
 *   prepared | pieces64 | pieces128 | pieces256 FROM COUNT   one pass over those plots
 *   distance FROM COUNT RADIUS                 all areas within a planar distance, and how far
 *   version
 * A pass prints "<CPU microseconds a plot> <hits> <sum>"; the sum is of square degrees of overlap, or of degrees
 * of distance, without the intersections that GEOS could not construct.
 * `prepared` asks prepared geometries first: does the area meet the plot, cover it, or is it covered by
 * it; only what crosses is constructed. `pieces…` does the same on pieces of at most so many vertices,
 * cut beforehand.
 */
#include <geos_c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PIECE_SIZES 3
static const int piece_vertices[PIECE_SIZES] = {64, 128, 256};

typedef struct {
  double w, s, e, n;
} Box;

typedef struct {
  GEOSGeometry *geometry;
  const GEOSPreparedGeometry *prepared;
  Box box;
  double square_degrees;
  int area;
} Item;

typedef struct {
  Item *items;
  int count, capacity;
  GEOSSTRtree *tree;
} Layer;

static GEOSContextHandle_t context;
static Layer areas, pieces[PIECE_SIZES];
static GEOSGeometry **plots;
static const GEOSPreparedGeometry **prepared_plots;
static Box *plot_boxes;
static double *plot_areas;
static int plot_count;

static void fail(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}

static Box box_of(const GEOSGeometry *geometry) {
  Box box;
  GEOSGeom_getXMin_r(context, geometry, &box.w);
  GEOSGeom_getYMin_r(context, geometry, &box.s);
  GEOSGeom_getXMax_r(context, geometry, &box.e);
  GEOSGeom_getYMax_r(context, geometry, &box.n);
  return box;
}

static int is_within(Box inner, Box outer) {
  return inner.w >= outer.w && inner.s >= outer.s && inner.e <= outer.e && inner.n <= outer.n;
}

static void add(Layer *layer, GEOSGeometry *geometry, int area) {
  if (layer->count == layer->capacity) {
    layer->capacity = layer->capacity ? 2 * layer->capacity : 64;
    layer->items = realloc(layer->items, sizeof(Item) * layer->capacity);
  }
  double square_degrees = 0;
  GEOSArea_r(context, geometry, &square_degrees);
  layer->items[layer->count++] =
      (Item){geometry, GEOSPrepare_r(context, geometry), box_of(geometry), square_degrees, area};
}

static void index_layer(Layer *layer) {
  layer->tree = GEOSSTRtree_create_r(context, 10);
  for (int i = 0; i < layer->count; i++)
    GEOSSTRtree_insert_r(context, layer->tree, layer->items[i].geometry, &layer->items[i]);
}

static uint32_t read_count(FILE *file) {
  uint32_t count;
  if (fread(&count, 4, 1, file) != 1) fail("scenario ends early");
  return count;
}

static GEOSGeometry *read_ring(FILE *file) {
  uint32_t count = read_count(file);
  double *xy = malloc(16 * (size_t)count);
  if (fread(xy, 16, count, file) != count) fail("scenario ends early");
  GEOSCoordSequence *sequence = GEOSCoordSeq_copyFromBuffer_r(context, xy, count, 0, 0);
  free(xy);
  return GEOSGeom_createLinearRing_r(context, sequence);
}

static GEOSGeometry *read_polygon(FILE *file) {
  uint32_t rings = read_count(file);
  GEOSGeometry *shell = read_ring(file);
  GEOSGeometry **holes = malloc(sizeof *holes * rings);
  for (uint32_t i = 1; i < rings; i++) holes[i - 1] = read_ring(file);
  GEOSGeometry *polygon = GEOSGeom_createPolygon_r(context, shell, holes, rings - 1);
  free(holes);
  return polygon;
}

static GEOSGeometry *read_geometry(FILE *file) {
  uint32_t count = read_count(file);
  if (count == 1) return read_polygon(file);
  GEOSGeometry **polygons = malloc(sizeof *polygons * count);
  for (uint32_t i = 0; i < count; i++) polygons[i] = read_polygon(file);
  GEOSGeometry *all = GEOSGeom_createCollection_r(context, GEOS_MULTIPOLYGON, polygons, count);
  free(polygons);
  return all;
}

/* Halves the longer side of the envelope until a part has few vertices. */
static void subdivide(const GEOSGeometry *geometry, int area, int most, Layer *pieces) {
  int parts = GEOSGetNumGeometries_r(context, geometry);
  if (parts > 1 || GEOSGeomTypeId_r(context, geometry) >= GEOS_MULTIPOINT) {
    for (int i = 0; i < parts; i++) subdivide(GEOSGetGeometryN_r(context, geometry, i), area, most, pieces);
    return;
  }
  if (GEOSGeomTypeId_r(context, geometry) != GEOS_POLYGON || GEOSisEmpty_r(context, geometry)) return;
  if (GEOSGetNumCoordinates_r(context, geometry) <= most) {
    add(pieces, GEOSGeom_clone_r(context, geometry), area);
    return;
  }
  Box box = box_of(geometry);
  double w = box.w, s = box.s, e = box.e, n = box.n;
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
    subdivide(part, area, most, pieces);
    GEOSGeom_destroy_r(context, part);
  }
}

/* `seen[area]` is the last plot that met the area, so that its pieces count once. */
static int *seen;

typedef struct {
  int plot, construct;
  double radius;
  long hits;
  double sum;
} Query;

static void visit(void *found, void *data) {
  Item *item = found;
  Query *query = data;
  const GEOSGeometry *plot = plots[query->plot];
  if (query->radius > 0) {
    if (GEOSPreparedDistanceWithin_r(context, item->prepared, plot, query->radius) != 1) return;
    double distance = 0;
    GEOSPreparedDistance_r(context, item->prepared, plot, &distance);
    query->hits++;
    query->sum += distance;
    return;
  }
  if (GEOSPreparedIntersects_r(context, item->prepared, plot) != 1) return;
  if (seen[item->area] != query->plot) query->hits++;
  seen[item->area] = query->plot;
  if (!query->construct) return;
  if (GEOSPreparedCovers_r(context, item->prepared, plot) == 1) {
    query->sum += plot_areas[query->plot];
    return;
  }
  if (is_within(item->box, plot_boxes[query->plot]) &&
      GEOSPreparedCovers_r(context, prepared_plots[query->plot], item->geometry) == 1) {
    query->sum += item->square_degrees;
    return;
  }
  GEOSGeometry *common = GEOSIntersection_r(context, item->geometry, plot);
  if (!common) return;
  double area = 0;
  GEOSArea_r(context, common, &area);
  GEOSGeom_destroy_r(context, common);
  query->sum += area;
}

/* The plot's envelope, grown by the radius. */
static GEOSGeometry *window_of(int plot, double radius) {
  Box box = plot_boxes[plot];
  return GEOSGeom_createRectangle_r(context, box.w - radius, box.s - radius, box.e + radius, box.n + radius);
}

static void pass(Layer *layer, int from, int count, int construct, double radius) {
  Query total = {0};
  GEOSGeometry **windows = calloc(count, sizeof *windows);
  for (int i = 0; i < count && radius > 0; i++) windows[i] = window_of(from + i, radius);
  for (int i = 0; i < areas.count; i++) seen[i] = -1;
  struct timespec start, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  for (int i = 0; i < count; i++) {
    Query query = {.plot = from + i, .construct = construct, .radius = radius};
    GEOSSTRtree_query_r(context, layer->tree, radius > 0 ? windows[i] : plots[from + i], visit, &query);
    total.hits += query.hits;
    total.sum += query.sum;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  for (int i = 0; i < count && radius > 0; i++) GEOSGeom_destroy_r(context, windows[i]);
  free(windows);
  double micros = (end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) / 1e3;
  printf("%.3f %ld %.17g\n", micros / count, total.hits, total.sum);
  fflush(stdout);
}

/* Cut when they are first asked for. */
static Layer *pieces_of(int most) {
  for (int k = 0; k < PIECE_SIZES; k++) {
    if (piece_vertices[k] != most) continue;
    if (!pieces[k].tree) {
      for (int i = 0; i < areas.count; i++) subdivide(areas.items[i].geometry, i, most, &pieces[k]);
      index_layer(&pieces[k]);
    }
    return &pieces[k];
  }
  fail("no such pieces");
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2) fail("usage: geos scenario.bin");
  context = GEOS_init_r();
  FILE *file = fopen(argv[1], "rb");
  if (!file) fail("cannot open the scenario");
  int count = (int)read_count(file);
  for (int i = 0; i < count; i++) add(&areas, read_geometry(file), i);
  seen = malloc(sizeof *seen * count);
  plot_count = (int)read_count(file);
  plots = malloc(sizeof *plots * plot_count);
  plot_areas = malloc(sizeof *plot_areas * plot_count);
  plot_boxes = malloc(sizeof *plot_boxes * plot_count);
  prepared_plots = malloc(sizeof *prepared_plots * plot_count);
  for (int i = 0; i < plot_count; i++) {
    plots[i] = read_geometry(file);
    prepared_plots[i] = GEOSPrepare_r(context, plots[i]);
    plot_boxes[i] = box_of(plots[i]);
    GEOSArea_r(context, plots[i], &plot_areas[i]);
  }
  fclose(file);
  index_layer(&areas);

  char line[4096], command[16], rest[64];
  while (fgets(line, sizeof line, stdin)) {
    int from = 0, plots_asked = 0;
    rest[0] = 0;
    if (sscanf(line, "%15s %d %d %63s", command, &from, &plots_asked, rest) < 1) fail("empty command");
    if (from < 0 || plots_asked < 0 || from + plots_asked > plot_count) fail("no such plots");
    if (!strcmp(command, "version")) {
      printf("%s\n", GEOSversion());
      fflush(stdout);
    } else if (!strcmp(command, "prepared")) {
      pass(&areas, from, plots_asked, 1, 0);
    } else if (!strcmp(command, "distance")) {
      pass(&areas, from, plots_asked, 0, atof(rest));
    } else if (!strncmp(command, "pieces", 6)) {
      pass(pieces_of(atoi(command + 6)), from, plots_asked, 1, 0);
    } else {
      fail("unknown command");
    }
  }
  return 0;
}
