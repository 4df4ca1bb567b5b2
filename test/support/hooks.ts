import { loadConfig } from '../../src/kernel/config.ts';

/** Every test process starts from the defaults; test/support/world.ts starts a product on top of them. */
loadConfig({ LOG_LEVEL: 'silent' });
