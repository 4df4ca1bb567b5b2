/** Systems and kinds of devices, as rules and traces of links name them. */
export const PLATFORMS = ['ios', 'android', 'windows', 'macos', 'linux', 'other'] as const;
export const DEVICES = ['mobile', 'tablet', 'desktop'] as const;
