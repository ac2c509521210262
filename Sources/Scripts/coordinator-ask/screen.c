/* A screen as JSON. */
#include "question.h"
#include "json.h"

#include <string.h>

static void add_actions(struct text *json, const struct question *question) {
  json_key(json, "actions");
  text_byte(json, '[');
  for (size_t i = 0; i < question->action_count; i++) {
    const struct action *action = &question->actions[i];
    json_element(json);
    text_byte(json, '{');
    json_member(json, "confirm", action->sure);
    json_member(json, "disabled", action->disabled);
    json_member(json, "id", action->id);
    json_member(json, "role", action->role);
    json_member(json, "summary", action->summary);
    json_member(json, "title", action->title);
    text_byte(json, '}');
  }
  text_byte(json, ']');
}

static void add_blocks(struct text *json, const struct question *question) {
  if (question->block_count == 0) return;
  json_key(json, "blocks");
  text_byte(json, '[');
  /* Renderers show the blocks in place of the body. */
  if (question->body != NULL && *question->body != 0) {
    json_element(json);
    text_string(json, "{\"kind\":\"paragraph\",\"spans\":[{");
    json_member(json, "text", question->body);
    text_string(json, "}]}");
  }
  for (size_t i = 0; i < question->block_count; i++) {
    json_element(json);
    text_byte(json, '{');
    json_member(json, "kind", question->blocks[i].kind);
    json_key(json, "spans");
    text_string(json, "[{");
    json_member(json, "link", question->blocks[i].link);
    json_member(json, "style", question->blocks[i].style);
    json_member(json, "text", question->blocks[i].text);
    text_string(json, "}]}");
  }
  text_byte(json, ']');
}

static void add_choosing(struct text *json, const struct question *question) {
  if (!question->multiple && question->initial_count == 0) return;
  json_key(json, "choosing");
  text_byte(json, '{');
  if (question->initial_count > 0) {
    json_key(json, "initial");
    text_byte(json, '[');
    for (size_t i = 0; i < question->initial_count; i++) {
      json_element(json);
      json_quoted(json, question->initial[i]);
    }
    text_byte(json, ']');
  }
  if (question->multiple) {
    json_key(json, "max");
    text_format(json, "%llu", question->most);
    json_key(json, "min");
    text_format(json, "%llu", question->least);
  }
  text_byte(json, '}');
}

static void add_items(struct text *json, const struct question *question) {
  json_key(json, "items");
  text_byte(json, '[');
  for (size_t i = 0; i < question->item_count; i++) {
    const struct item *item = &question->items[i];
    json_element(json);
    text_byte(json, '{');
    json_member(json, "disabled", item->disabled);
    json_member(json, "group", item->group);
    json_member(json, "id", item->id);
    json_member(json, "subtitle", item->subtitle);
    json_member(json, "title", item->title);
    text_byte(json, '}');
  }
  text_byte(json, ']');
}

static void add_messages(struct text *json, const struct question *question) {
  if (question->message_count == 0) return;
  json_key(json, "messages");
  text_byte(json, '[');
  for (size_t i = 0; i < question->message_count; i++) {
    const struct message *message = &question->messages[i];
    json_element(json);
    text_byte(json, '{');
    json_member(json, "code", message->level);
    json_member(json, "field", message->field);
    json_member(json, "level", message->level);
    json_member(json, "text", message->text);
    text_byte(json, '}');
  }
  text_byte(json, ']');
}

static void add_picture(struct text *json, const struct question *question) {
  if (question->code == NULL && question->picture == NULL) return;
  json_key(json, "picture");
  if (question->picture != NULL) {
    text_string(json, question->picture);
    return;
  }
  text_byte(json, '{');
  json_member(json, "code", question->code);
  text_byte(json, '}');
}

static void add_schema(struct text *json, const struct question *question) {
  json_key(json, "schema");
  text_byte(json, '{');
  json_key(json, "properties");
  text_byte(json, '{');
  for (size_t i = 0; i < question->field_count; i++) {
    json_key(json, question->fields[i].key);
    add_field_schema(json, &question->fields[i]);
  }
  text_byte(json, '}');
  json_key(json, "required");
  text_byte(json, '[');
  for (size_t i = 0; i < question->field_count; i++) {
    if (question->fields[i].optional || question->fields[i].shown_key != NULL) continue;
    json_element(json);
    json_quoted(json, question->fields[i].key);
  }
  text_byte(json, ']');
  json_member(json, "type", "object");
  text_byte(json, '}');
}

/* Adds the values that a form shows initially, and that a default answer sends. */
static void add_values(struct text *json, const struct question *question) {
  text_byte(json, '{');
  for (size_t i = 0; i < question->field_count; i++) {
    const struct field *field = &question->fields[i];
    if (field->value_count == 0 || field->kind->secret) continue;
    json_key(json, field->key);
    if (field->kind->list) text_byte(json, '[');
    size_t first = field->kind->list ? 0 : field->value_count - 1;
    for (size_t value = first; value < field->value_count; value++) {
      if (field->kind->list) json_element(json);
      add_value(json, field, field->values[value]);
    }
    if (field->kind->list) text_byte(json, ']');
  }
  text_byte(json, '}');
}

void add_screen(struct text *json, const struct question *question) {
  bool form = strcmp(question->kind, "form") == 0, list = strcmp(question->kind, "list") == 0;
  text_byte(json, '{');
  json_member(json, "accent", question->accent);
  add_actions(json, question);
  add_blocks(json, question);
  json_member(json, "body", question->body);
  add_choosing(json, question);
  if (form) {
    json_key(json, "fields");
    text_byte(json, '[');
    for (size_t i = 0; i < question->field_count; i++) {
      json_element(json);
      json_quoted(json, question->fields[i].key);
    }
    text_byte(json, ']');
  }
  if (list) add_items(json, question);
  json_member(json, "kind", question->kind);
  add_messages(json, question);
  add_picture(json, question);
  if (form) add_schema(json, question);
  if (question->step > 0) {
    json_key(json, "step");
    text_byte(json, '{');
    if (question->steps > 0) {
      json_key(json, "count");
      text_format(json, "%llu", question->steps);
    }
    json_key(json, "number");
    text_format(json, "%llu}", question->step);
  }
  json_member(json, "title", question->title);
  if (form) {
    json_key(json, "values");
    add_values(json, question);
  }
  text_byte(json, '}');
}

void add_default(struct text *json, const struct question *question) {
  const char *first = question->defaults[0];
  const struct action *action = find_action(question, first);
  text_byte(json, '{');
  json_member(json, "event", action == NULL ? "select" : first);
  json_key(json, "payload");
  if (action != NULL) {
    if (strcmp(question->kind, "form") == 0 && action == primary_action(question)) add_values(json, question);
    else text_string(json, "{}");
  } else {
    text_byte(json, '{');
    if (question->multiple) {
      json_key(json, "ids");
      text_byte(json, '[');
      for (size_t i = 0; i < question->default_count; i++) {
        json_element(json);
        json_quoted(json, question->defaults[i]);
      }
      text_string(json, "]}");
    } else {
      json_member(json, "id", first);
      text_byte(json, '}');
    }
  }
  text_byte(json, '}');
}
