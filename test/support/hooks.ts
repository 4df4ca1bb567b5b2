import { loadConfig } from '../../src/kernel/config.ts';
import { forgetJobStore } from './jobStore.ts';

/** Every test process starts from the defaults; test/support/world.ts starts a product on top of them. */
loadConfig({ LOG_LEVEL: 'silent' });

export const mochaHooks = { afterAll: forgetJobStore };
