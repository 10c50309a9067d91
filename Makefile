# SPDX-License-Identifier: Apache-2.0
# Every task a person runs: `make help`.

VERSION := 0.1.0
ifeq ($(origin CC),default)
CC := gcc
endif
BUILD := build
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
PREFIX ?= /usr/local
DESTDIR ?=
DRY := $(filter-out --%,$(firstword -$(MAKEFLAGS)))
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:

WARN := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(findstring clang,$(CC)),-Wcast-align,-Wcast-align=strict) -Werror
CFLAGS ?= -O2 -g
# The machine this is built for: the comparer uses BMI2 where there is. Not from the environment, where ARCH often is the name of a machine.
ARCH = -march=native
# gcc 12 makes vectors of the random generator's state, and each draw then waits for the last one's stores: a run was up to a third slower.
COMMON := -std=c11 -fno-tree-slp-vectorize -D_GNU_SOURCE -I. $(WARN)

# A unit is a field list with its bench beside it; everything else follows from the file names.
UNITS := $(sort $(basename $(notdir $(wildcard tb/*/rf_*.fields))))
MODEL_SRC := $(sort $(wildcard cmodel/*/*.c))
TB_SRC := $(sort $(wildcard tb/*/rf_*.c tb/*/env/rf_*.c))
HARNESS_SRC := $(sort $(wildcard harness/*/*.c) $(wildcard waves/*.c))
MODEL_OBJ := $(MODEL_SRC:%.c=$(BUILD)/obj/%.o)
TB_OBJ := $(TB_SRC:%.c=$(BUILD)/obj/%.o)
# Generated sources, below.
GENERATED := $(BUILD)/obj/units.o $(BUILD)/obj/page.o
HARNESS_OBJ := $(HARNESS_SRC:%.c=$(BUILD)/obj/%.o) $(GENERATED)
GCOV_OBJ := $(MODEL_SRC:%.c=$(BUILD)/gcov/obj/%.o)
# Takes half as long as the usual linker.
GOLD := $(if $(shell command -v ld.gold),-fuse-ld=gold)
LIBS := -llzma -lsqlite3 -ldl -lm

# What reads clang's bitcode, for proofs: a library beside the tool, so that no other command loads LLVM. Where LLVM is not, there is none, and
# `lockstep prove` says what it needs.
LLVM := $(if $(shell command -v llvm-config-14),$(BUILD)/lockstep-llvm.so)

.DEFAULT_GOAL := help

.PHONY: all
all: $(BUILD)/lockstep $(BUILD)/librfmodel.a $(LLVM) ## build the tool and the model library

DEFINES := -DLS_VERSION='"$(VERSION)"' -DLS_DATADIR='"$(PREFIX)/share/rf-lockstep"'

# Each compilation notes what the compiler read (harness/compile.sh). An object that is not of its sources, whatever the times say, goes here,
# before make looks at it: not when nothing is to be done (-n, -q).
ifneq ($(filter-out help help-all clean uninstall deps%,$(MAKECMDGOALS)),)
ifeq ($(findstring n,$(DRY))$(findstring q,$(DRY)),)
STALE := $(shell harness/stale.sh $(BUILD))
endif
endif
COMPILE := harness/compile.sh

# The models are C11 and libc only: no _GNU_SOURCE for them.
$(BUILD)/obj/cmodel/%.o: cmodel/%.c Makefile
	@echo "  CC    $<"
	@$(COMPILE) $@ $(CC) -std=c11 -I. $(WARN) $(CFLAGS) -O3 $(ARCH) -c $<

$(BUILD)/obj/%.o: %.c Makefile
	@echo "  CC    $<"
	@$(COMPILE) $@ $(CC) $(COMMON) $(CFLAGS) $(ARCH) $(DEFINES) -c $<

# The list of units, from the names of the field lists.
# Looked at in every build: a unit that is gone or renamed leaves no newer file.
.PHONY: FORCE
$(BUILD)/units.c: FORCE
	@mkdir -p $(@D)
	@{ echo '/* generated from tb/<group>/rf_<unit>.fields */'; echo '#include "harness/core/unit.h"'; \
	   for u in $(UNITS); do echo "extern const ls_unit $${u}_unit;"; done; \
	   echo 'const ls_unit *const ls_linked_units[] = {'; for u in $(UNITS); do echo "    &$${u}_unit,"; done; echo '    0};'; } > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Style sheet and script of the regression's page, as strings.
$(BUILD)/page.c: harness/regress/report.css harness/regress/report.js Makefile
	@mkdir -p $(@D)
	@{ for f in css js; do echo "const char ls_page_$$f[] ="; sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' harness/regress/report.$$f; echo ';'; done; } >$@

$(BUILD)/obj/units.o $(BUILD)/obj/page.o: $(BUILD)/obj/%.o: $(BUILD)/%.c
	@mkdir -p $(@D)
	@$(CC) $(COMMON) $(CFLAGS) -fPIC -c $< -o $@

$(BUILD)/librfmodel.a: $(MODEL_OBJ)
	@rm -f $@ && echo "  AR    $@"
	@ar rcs $@ $^

# What the tool says of itself (harness/base/provenance.h): the sources of all that is linked, in the order of their paths.
$(BUILD)/sources.o: $(HARNESS_OBJ) $(TB_OBJ) $(MODEL_OBJ) $(if $(LLVM),$(BUILD)/obj/harness/proof/llvm/ir_llvm.o)
$(BUILD)/gcov/sources.o: $(HARNESS_OBJ) $(TB_OBJ) $(GCOV_OBJ)
$(BUILD)/sources.o $(BUILD)/gcov/sources.o:
	@LC_ALL=C sort -u -k 2 -k 1 $(patsubst %.o,%.sum,$(filter-out $(GENERATED),$^)) -o $(@:.o=.sum)
	@printf '.section .rodata\n.globl ls_provenance_sources\nls_provenance_sources: .incbin "%s"\n.byte 0\n.section .note.GNU-stack,"",%%progbits\n' $(@:.o=.sum) | \
	    $(CC) -c -x assembler -o $@ -

# At a fixed address: 21,000 relocations fewer, 0.4 ms of each start, and a regression's job starts three times.
$(BUILD)/lockstep: $(HARNESS_OBJ) $(TB_OBJ) $(BUILD)/sources.o $(BUILD)/librfmodel.a
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) $(GOLD) -no-pie -rdynamic -o $@ $(filter %.o,$^) $(BUILD)/librfmodel.a $(LIBS)

$(BUILD)/lockstep-llvm.so: $(BUILD)/obj/harness/proof/llvm/ir_llvm.o
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) -shared -o $@ $^ $(shell llvm-config-14 --ldflags --libs core bitreader linker passes target)
$(BUILD)/obj/harness/proof/llvm/%.o: harness/proof/llvm/%.c Makefile
	@echo "  CC    $<"
	@$(COMPILE) $@ $(CC) $(COMMON) $(CFLAGS) -fPIC -isystem $(shell llvm-config-14 --includedir) -c $<

# The tool again with models that count what of them runs, for `run --coverage`, which finds it here. -O0: every condition of the
# source is a branch of its own; nothing is inlined, or each copy of a function would have branches of its own, of which a constant
# argument decides some. Counted by gcc and read by gcov, whatever CC is.
GCOV_CC ?= gcc

.PHONY: gcov-tool
gcov-tool: tool
	@$(LOCKED) $(MAKE) -j$(JOBS) $(BUILD)/gcov/lockstep

$(BUILD)/gcov/obj/%.o: %.c Makefile
	@echo "  CC    $< (gcov)"
	@$(COMPILE) $@ $(GCOV_CC) -std=c11 -I. -w -g -O0 -Dalways_inline= --coverage -c $<

# After the tool itself: one that is older than it counts as stale (harness/coverage/coverage_run.c).
$(BUILD)/gcov/lockstep: $(HARNESS_OBJ) $(TB_OBJ) $(GCOV_OBJ) $(BUILD)/gcov/sources.o $(BUILD)/lockstep
	@echo "  LINK  $@"
	@$(GCOV_CC) $(CFLAGS) -rdynamic -Wl,-u,__gcov_dump -o $@ $(filter %.o,$^) $(LIBS) --coverage

# Each test is linked by itself, with one library of all that they share.

# The tests, each a binary of its own, everything in them under ASan and UBSan.
# Sanitizers make gcc warn where nothing is wrong; warnings are the normal build's and lint's. Of UBSan's checks those at every access to
# memory are left out, which double the time of a compilation: an access through NULL or outside of an object is ASan's, a cast that could misalign
# the normal build refuses (-Wcast-align=strict), and the fuzzers have all of them. So have the tests with `make clean test UNSANITIZED=`.
UNSANITIZED ?= null,object-size,pointer-overflow,alignment
SAN := -g1 -Dalways_inline= -fPIC -fno-semantic-interposition -fsanitize=address,undefined $(UNSANITIZED:%=-fno-sanitize=%) \
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer
TEST_SRC := $(sort $(wildcard tb/harness/test_*.c tb/*/judge/test_*.c))
# Slow models and generators of random programs: for tests alone, so not in the tool.
JUDGE_SRC := $(sort $(wildcard tb/*/judge/slow_*.c tb/*/judge/random_*.c))
TEST_BIN := $(addprefix $(BUILD)/san/tests/,$(basename $(notdir $(TEST_SRC))))
SAN_OBJ := $(patsubst %.c,$(BUILD)/san/%.o,tb/tests/memory_equal.c $(MODEL_SRC) $(TB_SRC) $(JUDGE_SRC) $(filter-out harness/cli/main.c,$(HARNESS_SRC))) $(GENERATED)

.PHONY: sanitized
sanitized: $(TEST_BIN)

$(BUILD)/san/%.o: %.c Makefile
	@echo "  CC    $< (sanitized)"
	@$(COMPILE) $@ $(CC) $(COMMON) -w $(if $(findstring cmodel/,$<)$(findstring /judge/,$<)$(findstring harness/base/,$<),-Og,-O0) $(SAN) $(ARCH) $(DEFINES) -c $<

$(BUILD)/san/libtest.so: $(SAN_OBJ)
	@$(CC) $(SAN) $(GOLD) -shared -Wl,-soname,$(@F) -o $@ $^ -lcmocka $(LIBS)

define TEST_RULE
$(BUILD)/san/tests/$(basename $(notdir $(1))): $(BUILD)/san/$(1:.c=.o) $(BUILD)/san/libtest.so
	@mkdir -p $$(@D)
	@$(CC) $(SAN) $(GOLD) -rdynamic -Wl,-rpath,'$$$$ORIGIN/..' -o $$@ $$^ -lcmocka $(LIBS)
endef
$(foreach t,$(TEST_SRC),$(eval $(call TEST_RULE,$(t))))

-include $(shell find $(BUILD)/san -name '*.d' 2>/dev/null)
-include $(shell find $(BUILD)/gcov/obj -name '*.d' 2>/dev/null)
-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)


.PHONY: help help-all
FIRST := lockstep check test lint faults speed waves nightly synth install
help: ## the ten targets that most need
	@printf 'rf-lockstep %s: is this RTL still the model?\n\n' '$(VERSION)'
	@awk -F ':.*## ' -v first='$(FIRST)' 'BEGIN { n = split(first, name, " ") } /^[a-z0-9_-]+:.*## / { text[$$1] = $$2 } \
	    END { for (i = 1; i <= n; i++) printf "  make %-10s %s\n", name[i], text[name[i]] }' $(firstword $(MAKEFILE_LIST))
	@printf '\nmake help-all: the others, and variables. build/lockstep help: the commands.\n'

help-all: ## all targets
	@awk -F ':.*## ' '/^[a-z0-9_-]+:.*## / { printf "  make %-19s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@printf '\nVariables: JOBS=%s PREFIX=%s CC=%s UNIT=rf_x TRACES=folder of real traces\n' '$(JOBS)' '$(PREFIX)' '$(CC)'
	@printf '           ARCH=%s is for this machine alone; make clean, then make install ARCH= for others\n' '$(ARCH)'

# Missing packages are installed where that is allowed; otherwise the line to type is printed, exit 2.
.PHONY: deps deps-test deps-fuzz deps-slurm deps-papers deps-synth
deps:
	@harness/deps.sh run
deps-test:
	@harness/deps.sh run test
deps-fuzz:
	@harness/deps.sh run fuzz
deps-slurm:
	@harness/deps.sh run slurm
deps-papers:
	@harness/deps.sh run papers
# What is missing of it and cannot be installed, the tool says itself, and does without it what it can.
deps-synth:
	@harness/deps.sh synth || true

# Two that build in this folder at the same time would write the same files.
LOCKED = mkdir -p $(BUILD) && flock -o $(BUILD)/make.lock

.PHONY: tool
tool: deps
	@$(LOCKED) $(MAKE) -j$(JOBS) all

# TRACES=folder, given here or in the environment, reaches the script as it is; when it is not given, the script has a default.
.PHONY: lockstep
lockstep: tool ## the main job: every unit in lockstep with its RTL, our kernels, real traces (2 to 6 minutes the first time, on 2 cores)
	@JOBS=$(JOBS) tb/tests/lockstep.sh

.PHONY: lockstep-all
lockstep-all: tool ## the same at all parameter sets (some 10 to 20 minutes)
	@JOBS=$(JOBS) SETS=all tb/tests/lockstep.sh

# Without `deps`: it installs nothing, and says what is missing by failing.
.PHONY: check smoke
check: ## after an edit: the build, every unit in lockstep at a small size (one to three minutes, installs nothing)
	@$(LOCKED) $(MAKE) -j$(JOBS) all
	@wrong=$$(tb/tests/layers.sh $(BUILD)/obj) && [ -z "$$wrong" ] || { printf '%s\n' "$$wrong"; exit 1; }
	@JOBS=$(JOBS) SETS=small KERNELS=0 TRACES= tb/tests/lockstep.sh
smoke: check # its name before

.PHONY: test
test: deps-test deps-papers deps-synth ## everything that must hold; ends with "N passed, N failed"
	@$(LOCKED) $(MAKE) -j$(JOBS) all $(PROGRAMS)
	@JOBS=$(JOBS) tb/tests/test.sh

.PHONY: test-slurm
test-slurm: tool deps-slurm ## a regression on a real Slurm of three nodes on this machine, with nodes, controller and runner that die
	@tb/tests/slurm_tests.sh

.PHONY: test-verilator
test-verilator: deps-test ## the engine with another Verilator, VERILATOR=path: its tests, all units, the systems (some 30 to 60 minutes)
	@$(LOCKED) $(MAKE) -j$(JOBS) all
	@JOBS=$(JOBS) VERILATOR='$(VERILATOR)' tb/tests/verilator_tests.sh

.PHONY: lint
lint: deps-test ## RTL through Verilator, Yosys and Icarus, C through gcc and clang, format, house rules (UNIT=rf_x for one)
	@$(LOCKED) $(MAKE) -j$(JOBS) all
	@JOBS=$(JOBS) tb/tests/lint.sh $(UNIT)

.PHONY: faults
faults: tool ## plant every fault, print the table (UNIT=rf_x for one)
	@$(BUILD)/lockstep faults $(UNIT) --jobs $(JOBS)

.PHONY: proofs
proofs: tool deps-test ## the models of the units in tb/proof.sets are proved to be their RTL (UNIT=rf_x for one; some minutes)
	@JOBS=$(JOBS) tb/tests/proofs.sh $(UNIT)

.PHONY: mutants
mutants: tool deps-test ## mutation score of a unit: UNIT=rf_x (SIDE=rtl, model; without UNIT the comparer, with SIDE=prover the prover)
	@$(BUILD)/lockstep mutants $(UNIT) $(if $(SIDE),--side $(SIDE)) --jobs $(JOBS)

.PHONY: coverage
coverage: gcov-tool ## coverage of RTL and model, at all parameter sets, and what is not covered (UNIT=rf_x for one; CYCLES=)
	@JOBS=$(JOBS) CYCLES=$(CYCLES) tb/tests/coverage.sh $(UNIT)

.PHONY: nightly
nightly: gcov-tool deps-test deps-synth ## the nightly regression: some 3700 jobs, reports, history (hours on 2 cores; PLAN=file)
	@TRACES="$${TRACES-$$([ ! -d ../shared/traces ] || echo ../shared/traces)}" $(BUILD)/lockstep regress $(or $(PLAN),tb/plans/nightly.plan) --jobs $(JOBS)

.PHONY: speed
speed: tool ## speed of RTL alone, lockstep, model alone, as ratios (UNIT=rf_x for one)
	@$(BUILD)/lockstep speed $(UNIT)
	@$(if $(UNIT),,echo && $(BUILD)/lockstep workload speed)

.PHONY: speed-peers
speed-peers: tool deps-test ## lockstep beside other ways to check a unit: from an edit to a verdict, cycles a second (UNIT=rf_x for one; some ten minutes)
	@tb/speed/peers.sh $(UNIT)

.PHONY: growth
growth: tool deps-papers ## time and memory against size: WARPS, BANKS, LANES, a trace's length, a regression's jobs; exponents and plots (some ten minutes)
	@$(LOCKED) $(MAKE) $(BUILD)/growth
	@tb/speed/growth.sh

# What it was called before; for one version.
.PHONY: bench
bench: speed

.PHONY: waves
waves: tool ## waves of a unit's last cycles, or of its failure: UNIT=rf_x
	@$(BUILD)/lockstep waves $(or $(UNIT),rf_arbiter)

.PHONY: fuzz
fuzz: deps-fuzz ## fuzz every reader for FUZZ_SECONDS each (default 60)
	@FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) tb/workload/fuzz/fuzz.sh

.PHONY: workloads
workloads: tool ## build and check the streams of all kernels, print their figures beside the papers'
	@$(LOCKED) $(MAKE) -j$(JOBS) $(BUILD)/workload_stats
	@JOBS=$(JOBS) tb/tests/workloads.sh

# A paper is a folder of tb/papers (tb/papers/README.md).
PAPERS := $(patsubst tb/papers/%/page.md,paper-%,$(wildcard tb/papers/*/page.md))
.PHONY: $(PAPERS)
paper-malekeh: ## Malekeh on our kernels and real traces: writes docs/papers/malekeh.md and its plots anew (some minutes)
paper-bank-stealing: ## the same of bank stealing, docs/papers/bank-stealing.md
paper-wir: ## the same of warp instruction reuse, docs/papers/wir.md
paper-hierarchy: ## the same of the two-level scheduler and the register file hierarchy, docs/papers/hierarchy.md
paper-cerf: ## the same of the cache-emulated register file, docs/papers/cerf.md
paper-overheads: deps-synth ## the papers' claims on area, storage and delay beside ours: writes docs/papers/overheads.md anew (some ten minutes at first)
$(PAPERS): paper-%: tool deps-papers
	@$(LOCKED) $(MAKE) -j$(JOBS) $(BUILD)/paper $(BUILD)/workload_stats
	@JOBS=$(JOBS) tb/papers/paper.sh $*

# What they were called before; for one version.
.PHONY: paper-000 paper-001 paper-004 claims
paper-000: paper-malekeh
paper-001: paper-bank-stealing
paper-004: paper-wir
claims: paper-overheads

.PHONY: synth synth-all synth-accept
synth: tool deps-synth ## area and timing of a unit: UNIT=rf_x SET="NAME=VALUE ..." LIB=file.lib
	@$(BUILD)/lockstep synth $(or $(UNIT),rf_arbiter) $(foreach p,$(SET),--param $(p)) $(if $(LIB),--lib $(LIB))

synth-all: tool deps-synth ## area and timing of every unit, against the gates and the last commit (minutes; LIB=file.lib)
	@$(BUILD)/lockstep synth --all --jobs $(JOBS) $(if $(LIB),--lib $(LIB))

synth-accept: tool deps-synth ## what synth-all finds becomes the gates, synth_scripts/gates: look at it first
	@$(BUILD)/lockstep synth --accept --jobs $(JOBS) $(if $(LIB),--lib $(LIB))

.PHONY: energy energy-table
energy: tool deps-synth ## energy of a unit per cycle, from its netlist's toggles: UNIT=rf_x SET="NAME=VALUE ..." WORKLOAD=file LIB=file.lib
	@$(BUILD)/lockstep energy $(or $(UNIT),rf_arbiter) $(foreach p,$(SET),--param $(p)) $(if $(WORKLOAD),--workload $(WORKLOAD)) $(if $(LIB),--lib $(LIB))

energy-table: tool deps-synth ## energy of units and of systems on kernels, both ways: writes docs/energy-table.md and .tsv anew (some minutes; CYCLES=)
	@JOBS=$(JOBS) CYCLES=$(CYCLES) synth_scripts/energy.sh

.PHONY: netlists
netlists: tool deps-test deps-synth ## the netlist of gates of every unit in lockstep with its model (UNIT=rf_x; CYCLES=; PROVE=seconds: proofs too; ALL_SETS=1)
	@JOBS=$(JOBS) CYCLES=$(CYCLES) PROVE=$(PROVE) ALL_SETS=$(ALL_SETS) tb/tests/netlists.sh $(UNIT)

.PHONY: storage
storage: tool deps-test ## storage bits from the netlist beside the papers': all that they state (minutes), or UNIT=rf_x SET="NAME=VALUE ..." by register
	@synth_scripts/storage.sh $(if $(UNIT),$(UNIT) $(SET),--all)

# Programs of the tests and the papers: each one source, and all that the tool is made of.
PROGRAMS := $(addprefix $(BUILD)/,workload_stats paper growth)
$(BUILD)/workload_stats: $(BUILD)/obj/tb/workload/workload_stats.o
$(BUILD)/paper: $(BUILD)/obj/tb/papers/paper.o $(BUILD)/obj/tb/papers/paper_functions.o
$(BUILD)/growth: $(BUILD)/obj/tb/speed/growth.o
$(PROGRAMS): $(filter-out %/main.o,$(HARNESS_OBJ)) $(TB_OBJ) $(BUILD)/librfmodel.a
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) -rdynamic -o $@ $(filter %.o,$^) $(BUILD)/librfmodel.a $(LIBS)

# For editors and clangd: what `make all` would run, tests included.
.PHONY: compile_commands
compile_commands: ## compile_commands.json of all C sources, for editors
	@$(MAKE) -nB all sanitized | awk -v folder='$(CURDIR)' '$$1 == "harness/compile.sh" { file = $$NF; sub(/^[^ ]+ [^ ]+ /, ""); gsub(/[\\"]/, "\\\\&"); \
	    printf "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s\"}", (n++ ? ",\n" : "[\n"), folder, file, $$0 } END { print "\n]" }' >$@.json

.PHONY: ptx
ptx: deps-test ## write the kernels' PTX anew with clang-14
	@tb/workload/ptx.sh

.PHONY: man
man: $(BUILD)/lockstep ## docs/lockstep.1 anew: its commands and options from the tool's tables (harness/cli/table.c)
	{ sed '/^.SH COMMANDS/,$$d' docs/lockstep.1 && $(BUILD)/lockstep help --man && sed -n '/^.SH EXIT STATUS/,$$p' docs/lockstep.1; } >$(BUILD)/lockstep.1
	cp $(BUILD)/lockstep.1 docs/lockstep.1

# The engine without main and units, for the judges of others' projects.
$(BUILD)/liblockstep.a: $(filter-out %/main.o %/units.o,$(HARNESS_OBJ))
	@rm -f $@ && echo "  AR    $@"
	@ar rcs $@ $^

# What is ours alone in PREFIX: an older version's modules and headers go, or a user's RTL could be given one that we no longer have.
TO := $(DESTDIR)$(PREFIX)
INSTALLED = $(addprefix $(TO)/,include/rf-lockstep include/rfmodel share/rf-lockstep lib/rf-lockstep)
INSTALLED_FILES = $(addprefix $(TO)/,bin/lockstep lib/librfmodel.a lib/liblockstep.a lib/lockstep-llvm.so lib/pkgconfig/rfmodel.pc lib/pkgconfig/lockstep.pc \
    share/man/man1/lockstep.1 share/bash-completion/completions/lockstep share/zsh/site-functions/_lockstep share/fish/vendor_completions.d/lockstep.fish)
HEADERS = $(wildcard cmodel/*/*.h harness/*/*.h tb/*/*.h tb/*/env/*.h) tb/common/judge/judge.h tb/common/judge/judge_unit.h
# Field lists, which proofs read, and benches, which mutants compile.
BENCHES = $(foreach g,$(sort $(dir $(wildcard tb/*/rf_*.fields))),$(wildcard $(g)*.fields $(g)*.[ch]))
SHARED = harness/dut/shim.cpp harness/dut/dut.h $(wildcard harness/export/glue/* cmodel/*/*.[ch]) waves/picture.sh waves/picture.tcl tb/coverage.waivers \
    $(BENCHES) $(wildcard docs/*.md docs/*/*.md docs/*.png docs/*/*.svg) \
    $(wildcard rtl/*/*.sv rtl/*.f rtl/*.core tb/*/rf_*_check.sv tb/machines/*.machine tb/workload/kernels/*.ptx tb/workload/kernels/m32/*.ptx) \
    $(wildcard harness/project/skeleton/* harness/project/skeleton/*/*) $(filter-out synth_scripts/storage%,$(wildcard synth_scripts/*))

.PHONY: manifests
manifests: $(BUILD)/lockstep ## rtl/rf_lockstep.f, rtl/rf_lockstep.core (FuseSoC) and Bender.yml anew, from the tree
	@rtl/manifests.sh .

# For ctypes and the like; in a folder of its own, or -lrfmodel would take it for the archive.
$(BUILD)/librfmodel.so: $(BUILD)/librfmodel.a
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) -shared -o $@ -Wl,--whole-archive $< -Wl,--no-whole-archive -lm

.PHONY: install uninstall
install: all $(BUILD)/liblockstep.a $(BUILD)/librfmodel.so ## tool, libraries, headers, man page, completion, pages, RTL, kernels into PREFIX
	rm -rf $(INSTALLED)
	install -D -m 755 $(BUILD)/lockstep $(TO)/bin/lockstep
	install -D -m 644 -t $(TO)/lib $(BUILD)/librfmodel.a $(BUILD)/liblockstep.a $(LLVM)
	install -D -m 755 -t $(TO)/lib/rf-lockstep $(BUILD)/librfmodel.so
	install -d $(TO)/lib/pkgconfig
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' cmodel/rfmodel.pc.in > $(TO)/lib/pkgconfig/rfmodel.pc
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' harness/lockstep.pc.in > $(TO)/lib/pkgconfig/lockstep.pc
	install -D -m 644 docs/lockstep.1 $(TO)/share/man/man1/lockstep.1
	install -d $(TO)/share/bash-completion/completions $(TO)/share/zsh/site-functions $(TO)/share/fish/vendor_completions.d
	$(BUILD)/lockstep help --completion bash > $(TO)/share/bash-completion/completions/lockstep
	$(BUILD)/lockstep help --completion zsh > $(TO)/share/zsh/site-functions/_lockstep
	$(BUILD)/lockstep help --completion fish > $(TO)/share/fish/vendor_completions.d/lockstep.fish
	for f in $(HEADERS); do install -D -m 644 $$f $(TO)/include/rf-lockstep/$$f || exit 1; done
	for f in $(SHARED); do [ -d $$f ] || install -D -m 644 $$f $(TO)/share/rf-lockstep/$$f || exit 1; done

uninstall: ## take it out of PREFIX again
	rm -rf $(INSTALLED)
	rm -f $(INSTALLED_FILES)

.PHONY: clean
clean: ## remove everything that was built
	rm -rf $(BUILD)
