import type { Route } from '../Route.ts';
import { TRACE } from '../selections.ts';

const tag = 'Links';

export const LINK_TOOL_ROUTES: Route[] = [
  {
    id: 'getLinkQr',
    method: 'GET',
    path: '/links/{id}/qr',
    tag,
    summary: 'The QR code of a link',
    description:
      'The short URL as an image. Colours that scanners cannot tell apart are refused, and so is a foreground lighter ' +
      'than the background. `{id}` is the id of the link, or `ext_` and your own id.',
    scope: 'links:read',
    document: `query ($id: ID!, $format: String, $size: Int, $margin: Int, $level: String, $foreground: String,
        $background: String) {
      linkQr(id: $id, format: $format, size: $size, margin: $margin, level: $level, foreground: $foreground,
        background: $background) { mediaType base64 } }`,
    status: 200,
    answer: 'file',
    mediaTypes: ['image/svg+xml', 'image/png'],
  },
  {
    id: 'traceLink',
    method: 'GET',
    path: '/links/{id}/trace',
    tag,
    summary: 'Try a link',
    description:
      'What the router would do with a visitor, step by step, and why. Nothing is recorded or counted. The steps after ' +
      'the one that decided are listed as not asked. The side of a split follows from address and agent, of which a trace ' +
      'has fixed ones. `{id}` is the id of the link, or `ext_` and your own id.',
    scope: 'links:read',
    document: `query ($id: ID!, $platform: String, $device: String, $country: String, $language: String,
        $at: DateTimeISO, $query: String, $referrerHost: String) {
      traceLink(id: $id, platform: $platform, device: $device, country: $country, language: $language, at: $at,
        query: $query, referrerHost: $referrerHost) { ${TRACE} } }`,
    status: 200,
  },
];
