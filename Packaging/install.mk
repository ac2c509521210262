# make release, install, uninstall, deb. The names of directories are GNU's; PREFIX is an alias of prefix.

PREFIX ?= /usr/local
prefix ?= $(PREFIX)
DESTDIR ?=
bindir ?= $(prefix)/bin
datarootdir ?= $(prefix)/share
datadir ?= $(datarootdir)
mandir ?= $(datarootdir)/man
docdir ?= $(datarootdir)/doc/coordinatord
# The directories that systemd and the system bus search in addition to those of users: with a prefix like ~/.local,
# only the files for the user are used.
SYSTEM_WIDE = $(filter /usr /usr/local,$(prefix))
sysconfdir ?= $(if $(SYSTEM_WIDE),/etc,$(prefix)/etc)
libdir ?= $(prefix)/lib
libexecdir ?= $(prefix)/libexec
# Programs that only other programs start: coordinatorctl looks for the keeper here, next to its own directory, and the
# keeper looks for its shim in its own directory.
programsdir ?= $(libexecdir)/coordinatord
# Commands for scripts only. coordinator-scripts looks for this directory next to its own.
commandsdir ?= $(programsdir)/commands
systemdsystemunitdir ?= $(libdir)/systemd/system
systemduserunitdir ?= $(if $(SYSTEM_WIDE),$(libdir),$(datadir))/systemd/user
sysusersdir ?= $(libdir)/sysusers.d
dbusdir ?= $(datadir)/dbus-1
# The system bus reads no policies from /usr/local.
dbuspolicydir ?= $(if $(filter /usr/local,$(prefix)),/etc/dbus-1,$(dbusdir))/system.d
bashcompletiondir ?= $(datadir)/bash-completion/completions
zshcompletiondir ?= $(datadir)/zsh/$(if $(filter /usr,$(prefix)),vendor-completions,site-functions)
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d
# The record of installed files, for uninstall; empty for packages, whose manager keeps its own.
manifest ?= $(datadir)/coordinatord/installed

# The version is defined in one place.
VERSION = $(shell sed -n 's/.*version = "\(.*\)"/\1/p' Sources/Contract/CoordinatorBus/Release.swift)
# coordinator-tools contains coordinatord, coordinatorctl, coordinator-tui, coordinator-web, coordinator-scripts and
# coordinator-keeper in one program.
PROGRAMS ?= coordinator-tools coordinator-ask coordinator-dialog
# The output of `make release`, which `make install` copies.
BUILT ?= .build-static/installed
# The Debian releases in which `make deb-check` tests the package.
DEB_RELEASES ?= bookworm trixie

INSTALL_DIRECTORIES = DESTDIR bindir programsdir commandsdir datadir mandir docdir sysconfdir systemdsystemunitdir systemduserunitdir sysusersdir dbusdir \
  dbuspolicydir bashcompletiondir zshcompletiondir fishcompletiondir manifest VERSION
INSTALL_ENVIRONMENT = $(foreach name,$(INSTALL_DIRECTORIES),$(name)='$($(name))')

.PHONY: release release-programs static-libraries relinked profile reproducible install uninstall docs packaging deb deb-check image-check

release: deps ## Build the programs to install, with the Swift runtime linked in
	$(MAKE) release-programs
	@Packaging/stage "$$($(BUILD) -c release $(STATIC) --show-bin-path)" $(BUILT) $(FUNCTION_ORDER)

release-programs: static-libraries $(FUNCTION_ORDER) relinked
	for product in $(PROGRAMS) first-boot-daemon; do $(BUILD) -c release $(STATIC) --product $$product || exit 1; done

# The executed functions depend on time, so two profiles differ in some lines. A build that must be byte-identical to
# another one uses its file (FUNCTION_ORDER=FILE); `make release` therefore keeps the file next to the programs.
$(FUNCTION_ORDER):
	@$(MAKE) --no-print-directory release-programs PROGRAMS=coordinator-tools FUNCTION_ORDER=/dev/null
	Packaging/profile "$$($(BUILD) -c release $(STATIC) --show-bin-path)/coordinator-tools" $@.new
	@mv $@.new $@

# The build system does not know that the linker reads these files.
relinked:
	@find .build-static/*/release Benchmarks/.build/*/release -maxdepth 1 \
	  \( -name 'coord*' -o -name first-boot-daemon -o -name bench-daemon \) -type f \
	  \( ! -newer $(FUNCTION_ORDER) -o ! -newer $(LAYOUT) \) -delete 2>/dev/null || true

static-libraries:
	@mkdir -p $(STATIC_LIBRARIES)
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" $(STATIC_LIBRARIES)/
	@test -e $(STATIC_LIBRARIES)/libstdc++.a || { echo "libstdc++.a was not found: apt install libstdc++-12-dev" >&2; exit 1; }

profile: deps ## Record again which functions a daemon executes, for the order of functions in the release build; the first `make release` does the same
	@rm -f $(FUNCTION_ORDER)
	@$(MAKE) --no-print-directory $(FUNCTION_ORDER)

reproducible: ## Build the packages twice, in directories whose names are equally long, and compare the bytes
	@Scripts/deps packages
	Packaging/reproducible

install: ## Install the output of `make release` to PREFIX (/usr/local), below DESTDIR
	@$(INSTALL_ENVIRONMENT) Packaging/install $(BUILT)

uninstall: ## Remove what `make install` installed with the same PREFIX and DESTDIR
	@$(INSTALL_ENVIRONMENT) Packaging/uninstall

docs: reference ## Generate the API reference, and the documents of the D-Bus contract, the configuration keys and the questions
	Scripts/question-docs >Docs/questions.md
	Scripts/contract-docs markdown >Docs/dbus-api.md
	Scripts/contract-docs man >Packaging/man/org.coordinatord.Coordinator1.5
	$(BUILD) --product coordinator-tools
	"$$($(BUILD) --show-bin-path)/coordinatord" --dump-config-keys >.build/configuration-keys
	Scripts/configuration-docs man <.build/configuration-keys >.build/coordinatord.conf.5
	mv .build/coordinatord.conf.5 Packaging/man/coordinatord.conf.5
	Scripts/configuration-docs example <.build/configuration-keys >Packaging/examples/coordinatord.conf

# With the settings of `make test`, to avoid building twice.
packaging: deps ## Test the installation, the manual pages, the completions and the scripts in Docs/scripting.md, with the debug build
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	BINARIES="$$($(BUILD) --show-bin-path)" /usr/bin/python3 -m unittest discover --start-directory Trials/Packaging --pattern '*_tests.py'

deb: ## Build the Debian packages coordinatord, coordinatord-doc and coordinatord-first-boot from the output of `make release`
	@Scripts/deps packages
	@SWIFT="$(SWIFT)" Scripts/reference "$$($(BUILD) -c release $(STATIC) --show-bin-path)" $(patsubst %/,%,$(dir $(BUILT)))/reference
	@VERSION='$(VERSION)' Packaging/debian/build-doc $(patsubst %/,%,$(dir $(BUILT)))
	@VERSION='$(VERSION)' Packaging/debian/build $(BUILT)
	@VERSION='$(VERSION)' Packaging/debian/build-first-boot "$$($(BUILD) -c release $(STATIC) --show-bin-path)" $(patsubst %/,%,$(dir $(BUILT)))

deb-check: ## Build the Debian package, check it with lintian, run the tour of Docs/tour.md and the first script of README.md in a fresh Debian 12 and a fresh Debian 13 without Swift, and upgrade it there under live flows
	@Scripts/deps packages
	$(MAKE) release deb
	Packaging/debian/check $(VERSION) $(DEB_RELEASES)

# The directory of the image, which is reused if it exists.
IMAGE ?= /var/tmp/coordinatord-image/image

image-check: ## Build the Debian packages, make an image as in Docs/deploying.md, and boot it in containers: by answers, at a terminal, with a script, with power cuts; start a script of root in a browser
	@Scripts/deps packages
	$(MAKE) release deb
	rm -rf '$(IMAGE)'
	/usr/bin/python3 Trials/FirstBoot/image_tests.py '$(IMAGE)' $(patsubst %/,%,$(dir $(BUILT)))
	/usr/bin/python3 Trials/FirstBoot/script_image_tests.py '$(IMAGE)' $(patsubst %/,%,$(dir $(BUILT)))
	rm -rf '$(IMAGE)'
