#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

// Compiled code is kept where nobody else can put any: the default folder of Node is in /tmp.
const { env, platform } = process;
const cache =
  platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), '.cache');
if (cache) module.enableCompileCache?.(path.join(cache, 'svc', 'compiled'));
const { main } = await import('./main.mjs');
await main(process.argv.slice(2), env);
