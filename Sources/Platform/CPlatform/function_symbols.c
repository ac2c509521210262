#define _GNU_SOURCE
#include "FunctionSymbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) Header;
typedef ElfW(Shdr) Section;
typedef ElfW(Sym) Symbol;

struct file {
  const char *bytes;
  size_t size;
};

/* Returns SIZE bytes at OFFSET, or NULL if the file does not have them. */
static const void *part(struct file file, size_t offset, size_t size) {
  return offset <= file.size && size <= file.size - offset ? file.bytes + offset : NULL;
}

static void search(
    struct file file, const char *prefix, void (*body)(const char *name, void *context), void *context) {
  const Header *header = part(file, 0, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  size_t count = header->e_shnum;
  const Section *sections = part(file, header->e_shoff, count * sizeof *sections);
  if (!sections || header->e_shoff % _Alignof(Section) != 0) return;
  size_t length = strlen(prefix);
  for (size_t i = 0; i < count; i++) {
    const Section *table = &sections[i];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= count || table->sh_offset % _Alignof(Symbol) != 0) continue;
    const Section *strings = &sections[table->sh_link];
    const Symbol *symbols = part(file, table->sh_offset, table->sh_size);
    const char *names = part(file, strings->sh_offset, strings->sh_size);
    if (!symbols || !names || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0') continue;
    for (size_t s = 0; s < table->sh_size / sizeof *symbols; s++) {
      if (ELF64_ST_TYPE(symbols[s].st_info) != STT_FUNC || symbols[s].st_name >= strings->sh_size) continue;
      const char *name = names + symbols[s].st_name;
      if (strncmp(name, prefix, length) == 0) body(name, context);
    }
  }
}

void function_symbols(
    const void *address, const char *prefix, void (*body)(const char *name, void *context), void *context) {
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return;
  /* The name of the program itself is empty. */
  const char *path = map->l_name && map->l_name[0] ? map->l_name : "/proc/self/exe";
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      search((struct file){bytes, size}, prefix, body, context);
      munmap(bytes, size);
    }
  }
  close(descriptor);
}
