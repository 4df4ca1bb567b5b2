import type { ImportFormat } from '../models/Import.ts';
import { UTM_FIELDS } from '../routing/utm.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './exportColumns.ts';

/** What a column can fill: a field of a link, or a part of one that `readRow` assembles. */
export type Target =
  | ExportColumn
  | 'short_url'
  | 'preview_title'
  | 'preview_description'
  | 'preview_image_url'
  | 'ios_url'
  | 'android_url'
  | 'desktop_url'
  | 'tablet_url'
  | 'geo'
  | 'deep_link_path'
  | 'android_app'
  | 'ios_app'
  | 'web_only'
  | 'password'
  | 'is_protected';

export interface FormatRules {
  /** The column names that fill each target; in each row the first column with a value wins. */
  columns: Partial<Record<Target, string[]>>;
  /** Domains of the vendor, including their subdomains: links on them move to the project's own domain. */
  vendorDomains: string[];
  /** Separates two tags. */
  tagSeparator: RegExp;
  /** A row with several short URLs becomes several links. */
  everyShortUrl?: true;
  /** Unknown columns go into `data`, except names that match `but`, which are the vendor's own. */
  restIsData?: { but: RegExp };
  /** An empty cell clears the field of an existing link, so that an import restores our own export exactly. */
  emptyClears: boolean;
}

const UTM: FormatRules['columns'] = Object.fromEntries(UTM_FIELDS.map((field) => [`utm_${field}`, [`utm_${field}`]]));

/** Passwords. Our own export has no such columns: hashes stay in the store. */
const PROTECTION: FormatRules['columns'] = {
  password: ['password', 'link_password'],
  is_protected: ['password_protected', 'is_password_protected', 'has_password', 'password_enabled', 'protected'],
};

/** Columns that any vendor's file may have. */
const COMMON: FormatRules['columns'] = {
  ...UTM,
  ...PROTECTION,
  geo: ['geo', 'geo_targeting', 'country_targeting'],
};

const FOREIGN = { tagSeparator: /[|,;]/, emptyClears: false };

/** Letters and digits of column names are compared; case, spaces and punctuation are not. */
export const FORMATS: Record<ImportFormat, FormatRules> = {
  svc: {
    columns: {
      ...Object.fromEntries(EXPORT_COLUMNS.map((name) => [name, [name]])),
      ...PROTECTION,
    },
    vendorDomains: [],
    tagSeparator: /\|/,
    emptyClears: true,
  },
  bitly: {
    ...FOREIGN,
    everyShortUrl: true,
    columns: {
      destination: ['long_url', 'destination', 'destination_url', 'original_url'],
      short_url: [
        'custom_bitlinks',
        'custom_bitlink',
        'custom_link',
        'bitlink',
        'link',
        'short_link',
        'short_url',
        'id',
      ],
      title: ['title'],
      tags: ['tags'],
      archived: ['archived'],
      ...COMMON,
    },
    vendorDomains: ['bit.ly', 'j.mp', 'bitly.com'],
  },
  dub: {
    ...FOREIGN,
    columns: {
      destination: ['destination_url', 'destination', 'url', 'original_url'],
      short_url: ['short_link', 'link', 'short_url'],
      domain: ['domain'],
      slug: ['key', 'slug'],
      title: ['title'],
      notes: ['comments', 'notes'],
      tags: ['tags', 'tag'],
      external_id: ['external_id'],
      starts_at: ['starts_at'],
      expires_at: ['expires_at', 'expiration'],
      expired_destination: ['expired_url'],
      archived: ['archived'],
      preview_description: ['description'],
      preview_image_url: ['image'],
      ios_url: ['ios'],
      android_url: ['android'],
      ...COMMON,
    },
    vendorDomains: [
      'dub.sh',
      'dub.link',
      'dub.co',
      'git.new',
      'spti.fi',
      'chatg.pt',
      'amzn.id',
      'ggl.link',
      'fig.page',
    ],
  },
  short_io: {
    ...FOREIGN,
    columns: {
      destination: ['original_url', 'long_url', 'destination', 'url'],
      short_url: ['short_url', 'secure_short_url', 'short_link'],
      domain: ['domain', 'hostname'],
      slug: ['path', 'slug'],
      title: ['title', 'link_title'],
      tags: ['tags'],
      expires_at: ['expires_at', 'expiration_date'],
      expired_destination: ['expired_url'],
      click_limit: ['clicks_limit', 'click_limit'],
      archived: ['archived'],
      ios_url: ['iphone_url', 'ios_url'],
      android_url: ['android_url'],
      ...COMMON,
    },
    vendorDomains: ['short.gy', 'shortcm.li', 'short.io'],
  },
  rebrandly: {
    ...FOREIGN,
    columns: {
      destination: ['destination', 'destination_url', 'long_url'],
      short_url: ['short_url', 'branded_link', 'branded_short_link', 'short_link'],
      domain: ['domain', 'domain_full_name', 'domain_name'],
      slug: ['slashtag', 'slash_tag'],
      title: ['title'],
      notes: ['notes', 'description'],
      tags: ['tags'],
      ...COMMON,
    },
    vendorDomains: ['rebrand.ly'],
  },
  firebase: {
    ...FOREIGN,
    columns: {
      destination: ['long_link', 'long_dynamic_link', 'deep_link', 'link', 'destination', 'url'],
      short_url: ['short_link', 'short_dynamic_link', 'short_url', 'dynamic_link'],
      title: ['link_name', 'name', 'title'],
      preview_title: ['social_title'],
      preview_description: ['social_description'],
      preview_image_url: ['social_image_link', 'social_image_url'],
      ios_url: ['ios_fallback_link'],
      android_url: ['android_fallback_link'],
      desktop_url: ['desktop_link', 'desktop_fallback_link'],
      android_app: ['android_package_name', 'android_app', 'apn'],
      ios_app: ['ios_bundle_id', 'ios_app', 'ios_app_store_id', 'ibi', 'isi'],
      ...COMMON,
    },
    vendorDomains: ['page.link', 'app.goo.gl', 'goo.gl'],
  },
  branch: {
    ...FOREIGN,
    restIsData: { but: /^[~$+]/ },
    columns: {
      ...COMMON,
      destination: ['$fallback_url', 'fallback_url', '$desktop_url', '$canonical_url', 'destination', 'long_url'],
      short_url: ['url', 'link_url', 'short_url', 'link', 'branch_link', 'quick_link'],
      slug: ['alias'],
      title: ['$marketing_title', 'marketing_title', 'link_title', 'title', 'name'],
      tags: ['~tags', 'tags'],
      data: ['data', 'deep_link_data'],
      utm_source: ['utm_source', '~channel'],
      utm_medium: ['utm_medium', '~feature'],
      utm_campaign: ['utm_campaign', '~campaign'],
      utm_term: ['utm_term', '~keyword'],
      utm_content: ['utm_content'],
      expires_at: ['$expiration_date'],
      preview_title: ['$og_title'],
      preview_description: ['$og_description'],
      preview_image_url: ['$og_image_url'],
      ios_url: ['$ios_url'],
      android_url: ['$android_url'],
      desktop_url: ['$desktop_url'],
      web_only: ['$web_only'],
      deep_link_path: ['$deeplink_path'],
    },
    vendorDomains: ['app.link', 'bnc.lt'],
  },
};

/** For each format the columns that it reads, each under the name that comes first: what people see before they upload. */
export const FORMAT_COLUMNS = Object.entries(FORMATS).map(([format, { columns }]) => ({
  format: format as ImportFormat,
  columns: Object.values(columns).flatMap(([name]) => (name === undefined ? [] : [name])),
}));
