import { analytics } from './analytics.ts';
import { builder } from './builder.ts';
import { common } from './common.ts';
import { entrance } from './entrance.ts';
import { imports } from './imports.ts';
import { linkTexts } from './link.ts';
import { linksTexts } from './links.ts';
import { overview } from './overview.ts';
import { shell } from './shell.ts';
import { states } from './states.ts';
import { webhooks } from './webhooks.ts';

export const texts = {
  analytics,
  builder,
  common,
  entrance,
  imports,
  link: linkTexts,
  links: linksTexts,
  overview,
  shell,
  states,
  webhooks,
};
