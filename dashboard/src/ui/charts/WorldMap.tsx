import worldUrl from 'virtual:world-paths-url';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { scaleQuantile } from 'd3-scale';
import { countryName } from '../../kernel/countries.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { MapSkeleton } from './MapSkeleton.tsx';
import styles from './WorldMap.module.css';

interface WorldMapProps {
  /** By ISO 3166-1 alpha-2 code. */
  counts: ReadonlyMap<string, number>;
  onFilter: (country: string, isExcluding: boolean) => void;
}

const SHADES = [1, 2, 3, 4, 5];

/** Countries by shades. The list beside it is its table, and the way for the keyboard. */
export function WorldMap({ counts, onFilter }: WorldMapProps) {
  const {
    data: paths,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['world'],
    queryFn: async (): Promise<Record<string, string>> => {
      const response = await fetch(worldUrl);
      if (!response.ok) throw new Error(`${response.status}`);
      return response.json();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isError) {
    return (
      <div className={styles.frame}>
        <p role="alert">{t.analytics.map.failed}</p>
        <Button variant="default" size="compact-sm" onClick={() => refetch()}>
          {t.common.tryAgain}
        </Button>
      </div>
    );
  }
  if (!paths) return <MapSkeleton />;
  const shade = scaleQuantile([...counts.values()], SHADES);
  return (
    <div className={styles.frame}>
      <svg viewBox="0 0 960 470" role="img" aria-label={t.analytics.map.label} className={styles.map}>
        {Object.entries(paths).map(([code, path]) => {
          const count = counts.get(code) ?? 0;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list of countries below does the same by keys
            <path
              key={code}
              d={path}
              className={styles.country}
              data-shade={count > 0 ? shade(count) : undefined}
              onClick={count > 0 ? ({ altKey }) => onFilter(code, altKey) : undefined}
            >
              <title>{`${countryName(code)}: ${formatExact(count)}`}</title>
            </path>
          );
        })}
      </svg>
      <p className={styles.legend}>
        {SHADES.map((number) => (
          <span key={number} data-shade={number} className={styles.swatch} aria-hidden />
        ))}
        {t.analytics.map.legend}
      </p>
    </div>
  );
}
