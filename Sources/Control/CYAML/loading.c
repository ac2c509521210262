#include "include/CYAML.h"

#include <CLoading.h>

#define SONAME "libyaml-0.so.2"
CLOADING_NOTE("answers", "answers files in YAML", "recommended", SONAME)

#define FUNCTIONS(X) \
  X(int, 0, yaml_parser_initialize, (yaml_parser_t * a), (a)) \
  X(int, 0, yaml_parser_parse, (yaml_parser_t * a, yaml_event_t *b), (a, b))
#define PROCEDURES(X) \
  X(yaml_event_delete, (yaml_event_t * a), (a)) \
  X(yaml_parser_delete, (yaml_parser_t * a), (a)) \
  X(yaml_parser_set_input_string, (yaml_parser_t * a, const unsigned char *b, size_t c), (a, b, c))

CLOADING_LIBRARY(cyaml_load, FUNCTIONS, PROCEDURES, CLOADING_NONE, SONAME)
