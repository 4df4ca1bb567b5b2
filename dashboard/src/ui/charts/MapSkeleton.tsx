import { Skeleton } from '@mantine/core';
import { t } from '../../texts/index.ts';
import styles from './WorldMap.module.css';

/** The place of the map while its code and its shapes are on their way. */
export function MapSkeleton() {
  return (
    <div className={styles.frame} aria-busy="true">
      <span role="status" className="visually-hidden">
        {t.analytics.map.loading}
      </span>
      <Skeleton height="100%" radius="sm" />
    </div>
  );
}
