# Sets simulated machines up with Examples/first-boot, as a daemon and as a script: in a terminal, in a browser and by an
# answers file, and kills the daemon meanwhile. Needs root, because it adds users, in an /etc that only the test sees.

.PHONY: first-boot first-boot-long

FIRST_BOOT = /usr/bin/python3 Trials/FirstBoot/first_boot_tests.py "$$($(BUILD) --show-bin-path)" .build-web

first-boot: deps ## Set simulated machines up with Examples/first-boot, in a terminal, in a browser and by answers, and kill the daemon meanwhile
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@mkdir -p .build-web
	$(FIRST_BOOT) "$$($(BUILD) --show-bin-path)/first-boot-daemon"
	$(FIRST_BOOT) Examples/first-boot/first-boot.py

# Builds and tests the package as an author who has copied it does.
first-boot-long: deps ## Run the same with a daemon that is killed before and after each change and at each screen; build and test the example as a separate package
	cd Examples/first-boot && WARNINGS_AS_ERRORS=1 $(SWIFT) test
	FIRST_BOOT_LONG=1 $(MAKE) first-boot
