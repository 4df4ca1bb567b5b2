import { loadConfig } from '../../src/kernel/config.ts';
import { log } from '../../src/kernel/log.ts';

/** Every test process starts from the defaults; test/support/world.ts starts a product on top of them. */
log.level = loadConfig({ LOG_LEVEL: 'silent' }).logLevel;
