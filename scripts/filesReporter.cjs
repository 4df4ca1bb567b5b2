const { reporters, Runner } = require('mocha');

const { EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_RUN_END } = Runner.constants;

/**
 * A line for each failure and for each file with what it took, hooks included; at the end what failed, as mocha's own reporters
 * tell it. Each test that passes is a line with a dot: it shows that the part is alive, and is not shown to people.
 */
module.exports = class FilesReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const files = new Map();
    const of = (file) => {
      if (!files.has(file)) files.set(file, { passed: 0, failed: 0, millis: 0 });
      return files.get(file);
    };
    let began = 0;
    let last = null;
    const tell = (file) => {
      const { passed, failed, millis } = files.get(file);
      const name = file.replace(`${process.cwd()}/`, '').replace(/^dist\/tests\/(.*)\.js$/, '$1.ts');
      const what = failed > 0 ? `✘ ${failed} failed, ${passed} passed` : `✔ ${passed} passed`;
      process.stdout.write(`  ${what.padEnd(16)} ${(millis / 1000).toFixed(1).padStart(6)} s  ${name}\n`);
    };
    runner.on(EVENT_SUITE_BEGIN, (suite) => {
      if (!suite.parent?.root) return;
      if (last && last !== suite.file) tell(last);
      last = suite.file;
      of(suite.file);
      began = performance.now();
    });
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root) of(suite.file).millis += performance.now() - began;
    });
    runner.on(EVENT_TEST_PASS, (test) => {
      of(test.file).passed += 1;
      process.stdout.write(`  · ${test.fullTitle()}\n`);
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      of(test.file).failed += 1;
      process.stdout.write(`    ✘ ${test.fullTitle()}: ${error.message.split('\n')[0].slice(0, 200)}\n`);
    });
    runner.on(EVENT_RUN_END, () => {
      if (last) tell(last);
      this.epilogue();
    });
  }
};
