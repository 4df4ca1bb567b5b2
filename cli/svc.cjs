#!/usr/bin/env node
'use strict';
const { enableCompileCache } = require('node:module');
const path = require('node:path');

// Compiled code is kept where nobody else can put any: the default folder of Node is in /tmp.
const { env, platform } = process;
const home = env.HOME && path.join(env.HOME, '.cache');
const cache = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME || home;
if (cache) enableCompileCache?.(path.join(cache, 'svc', 'compiled'));
require('./main.cjs').main(process.argv.slice(2), env);
