/**
 * Packages that the built server loads from node_modules; all others are part of its bundle. A release depends on these alone.
 */
export const LOADED_FROM_FILES = [
  // Compiled parts.
  'sqlite3',
  '@node-rs/argon2',
  // WebAssembly and the files next to it.
  '@electric-sql/pglite',
  // They start threads from their files.
  'pino',
  'pino-pretty',
  // Sequelize and pg-boss load it at run time; what is set on it has to be set on the one that they get.
  'pg',
  // Places of addresses: a file.
  '@ip-location-db/geo-whois-asn-country-mmdb',
];
