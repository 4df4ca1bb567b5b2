import { DataTypes, type ModelAttributes, type QueryInterface, type Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const part = { primaryKey: true };
const projectPart = { ...c.text(), ...part };

/** What figures are grouped by, of an opening or an event of an app. `origin`: what the click and its link tell besides. */
const figures = (): ModelAttributes => ({
  link_id: c.optionalText(),
  domain: c.optionalText(),
  slug: c.optionalText(),
  platform: c.optionalText(),
  device: c.optionalText(),
  app_version: c.optionalText(),
  language: c.optionalText(),
  country: c.optionalText(),
  region: c.optionalText(),
  city: c.optionalText(),
  origin: c.optionalJson(),
});

/** How an opening was traced back. */
const match = (): ModelAttributes => ({
  method: { ...c.text(), defaultValue: 'none' },
  confidence: c.integer(0),
  factors: c.json(),
  clicked_at: c.optionalTime(),
  click_id: c.optionalText(),
});

/** `install_id` is the UUID that the SDK made, everywhere. */
const TABLES: Record<string, ModelAttributes> = {
  installs: {
    id: c.id(),
    project_id: c.text(),
    install_id: c.text(),
    platform: c.text(),
    app_version: c.optionalText(),
    os_version: c.optionalText(),
    device: c.optionalText(),
    language: c.optionalText(),
    first_opened_at: c.time(),
    // Null: the app was there before its SDK was; such an install is never told of.
    installed_at: c.optionalTime(),
    ...match(),
    link_id: c.optionalText(),
    // Since when later events belong to the link.
    attributed_at: c.optionalTime(),
    // The last first opening, whose answer is repeated for a while.
    first_open_id: c.optionalText(),
    first_open_at: c.optionalTime(),
    domain: c.optionalText(),
    slug: c.optionalText(),
    origin: c.optionalJson(),
    ...c.timestamps(),
  },
  opens: {
    id: c.id(),
    project_id: c.text(),
    install_id: c.text(),
    // install, reinstall or open.
    kind: c.text(),
    // Opened by a link itself.
    direct: c.flag(false),
    occurred_at: c.time(),
    ...match(),
    ...figures(),
    uncollected: c.flag(false),
  },
  app_events: {
    id: c.id(),
    project_id: c.text(),
    install_id: c.text(),
    event_id: c.text(),
    name: c.text(),
    occurred_at: c.time(),
    value: { type: DataTypes.DOUBLE, allowNull: true, defaultValue: null },
    currency: c.optionalText(),
    properties: c.optionalJson(),
    ...figures(),
    received_at: c.time(),
    uncollected: c.flag(false),
  },
  // Why the last first opening of an install matched or did not.
  match_reports: {
    project_id: projectPart,
    install_id: { ...c.text(), ...part },
    report: c.json(),
    created_at: c.time(),
  },
  // Clicks of people of the last days that an install may have come by, in one tree: see src/matching/matchClicks.ts.
  match_clicks: {
    day: { ...c.integer(), ...part },
    project_id: projectPart,
    address_hash: { ...c.text(), ...part },
    click_id: { ...c.text(), ...part },
    link_id: c.text(),
    visitor: c.text(),
    // Milliseconds since the epoch.
    occurred_ms: c.bigInteger(),
    platform: c.text(),
    os_version: c.optionalText(),
    device_model: c.optionalText(),
    language: c.optionalText(),
    country: c.optionalText(),
  },
  // What the page that leads to a store was told of the device, by the click that led to the page.
  click_devices: {
    click_id: c.id(),
    project_id: c.text(),
    timezone: c.optionalText(),
    screen: c.optionalJson(),
    created_at: c.time(),
  },
  // A click is used by one install; its siblings, by the same visitor, are used with it.
  used_clicks: {
    click_id: c.id(),
    project_id: c.text(),
    install_id: c.text(),
    created_at: c.time(),
  },
};

const INDEXES = [
  'CREATE UNIQUE INDEX installs_project_id_install_id ON installs (project_id, install_id)',
  'CREATE INDEX installs_project_id_created_at_id ON installs (project_id, created_at, id)',
  'CREATE INDEX installs_of_links ON installs (project_id, link_id, created_at, id) WHERE link_id IS NOT NULL',
  'CREATE INDEX opens_project_id_occurred_at_id ON opens (project_id, occurred_at, id)',
  "CREATE INDEX opens_installs ON opens (project_id, occurred_at, id) WHERE kind = 'install'",
  'CREATE INDEX opens_project_id_install_id ON opens (project_id, install_id)',
  'CREATE INDEX opens_uncollected ON opens (occurred_at, id) WHERE uncollected = true',
  'CREATE INDEX app_events_project_id_occurred_at_id ON app_events (project_id, occurred_at, id)',
  // An event that was sent twice is one; also what is deleted with an install.
  'CREATE UNIQUE INDEX app_events_sent ON app_events (project_id, install_id, event_id)',
  'CREATE INDEX app_events_uncollected ON app_events (received_at, id) WHERE uncollected = true',
  'CREATE INDEX match_reports_created_at ON match_reports (created_at)',
  'CREATE INDEX used_clicks_project_id_install_id ON used_clicks (project_id, install_id)',
];

/** Installs, openings and events of apps, and what installs are matched with. */
export async function appTables(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) await tables.createTable(name, columns, { transaction });
  for (const sql of INDEXES) await database().query(sql, { transaction });
}
