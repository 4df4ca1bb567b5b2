import { type Platform, parseAgent } from '../../routing/agent.ts';

const PLATFORM_NAMES: Record<Platform, string | null> = {
  ios: 'iOS',
  android: 'Android',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  other: null,
};

/** A User-Agent header in a few words, as `Firefox on Windows`; null when it tells nothing. */
export function describeAgent(header: string | undefined): string | null {
  const { browser, platform } = parseAgent(header);
  return [browser, PLATFORM_NAMES[platform]].filter(Boolean).join(' on ') || null;
}
