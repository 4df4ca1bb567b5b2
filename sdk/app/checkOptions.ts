import { platformOf } from './deviceFacts.ts';
import { SvcError } from './SvcError.ts';
import type { SvcOptions } from './types.ts';

/** Throws what only the programmer can put right. */
export function checkOptions(options: SvcOptions): void {
  const { url, key } = options;
  const refuse = (message: string) => {
    throw new SvcError('invalid_options', message);
  };
  if (!/^https?:\/\/./.test(url)) refuse('url must be where the SDK endpoints are, such as https://svc.example.com.');
  if (/^sk_/.test(key))
    refuse('This is a secret key. It must never ship in an app: use a publishable key (pk_live_…).');
  if (!key) refuse('key must be a publishable key (pk_live_…).');
  if (!platformOf(options)) refuse("React Native needs a platform: pass Platform.OS ('ios' or 'android').");
}
