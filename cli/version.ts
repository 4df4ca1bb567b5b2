import manifest from './manifest.json' with { type: 'json' };

/** The version of the product that this command line belongs to. In a file of its own: `svc --version` reads nothing else. */
export const VERSION: string = manifest.version;
