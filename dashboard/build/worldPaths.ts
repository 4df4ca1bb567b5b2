import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import type { Feature } from 'geojson';
import countries from 'i18n-iso-countries';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

const ID = 'virtual:world-paths-url';
export const WORLD_WIDTH = 960;
export const WORLD_HEIGHT = 470;

/**
 * Provides `virtual:world-paths-url`, the address of a JSON file of SVG paths by ISO 3166-1 alpha-2 code, projected at build
 * time from Natural Earth's data (public domain), so that the browser needs no projection. Territories without a code, such as
 * Somaliland, have names that no visitor's country can have.
 */
export function worldPaths(): Plugin {
  return {
    name: 'world-paths',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null;
      if (this.meta.watchMode)
        return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(json())}`)}`;
      const file = this.emitFile({ type: 'asset', name: 'world.json', source: json() });
      return `export default import.meta.ROLLUP_FILE_URL_${file}`;
    },
  };
}

function json(): string {
  const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
  const world = JSON.parse(readFileSync(file, 'utf8')) as Topology<{ countries: GeometryCollection }>;
  const { features } = feature(world, world.objects.countries);
  const inhabited = features.filter(({ id }) => id !== ANTARCTICA);
  const projection = geoNaturalEarth1().fitSize([WORLD_WIDTH, WORLD_HEIGHT], {
    type: 'FeatureCollection',
    features: inhabited,
  });
  const draw = geoPath(projection).digits(0);
  return JSON.stringify(Object.fromEntries(inhabited.map((country) => [codeOf(country), draw(country)])));
}

function codeOf({ id, properties }: Feature): string {
  return (id === undefined ? undefined : countries.numericToAlpha2(id)) ?? String(properties?.name);
}

const ANTARCTICA = '010';
