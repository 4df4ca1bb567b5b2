import { Alert, Button, Group, NumberInput, SegmentedControl, Stack } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { withoutScheme } from '../kernel/addresses.ts';
import { t } from '../texts/index.ts';
import { IconDownload } from '../ui/icons.ts';
import { drawPng, drawSvg, isReadable, PLAIN_DESIGN, type QrDesign } from '../ui/qrCode.ts';
import styles from './QrDesigner.module.css';

const LEVELS = ['L', 'M', 'Q', 'H'] as const;

/** A QR code with its colours and size, and the files to print. */
export function QrDesigner({ shortUrl }: { shortUrl: string }) {
  const [design, setDesign] = useState<QrDesign>(PLAIN_DESIGN);
  const change = (changed: Partial<QrDesign>) => setDesign((earlier) => ({ ...earlier, ...changed }));
  const canBeRead = isReadable(design);
  return (
    <Stack>
      <QrPicture shortUrl={shortUrl} design={design} />
      {canBeRead ? null : (
        <Alert color="red" role="alert">
          {t.links.qr.contrast}
        </Alert>
      )}
      <Group>
        <Button
          leftSection={<IconDownload size={16} />}
          disabled={!canBeRead}
          onClick={async () => save(shortUrl, 'svg', svgAddress(await drawSvg(shortUrl, design)))}
        >
          {t.links.qr.svg}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          disabled={!canBeRead}
          onClick={async () => save(shortUrl, 'png', await drawPng(shortUrl, design))}
        >
          {t.links.qr.png}
        </Button>
      </Group>
      <details className={styles.design}>
        <summary>{t.links.qr.design}</summary>
        <div className={styles.fields}>
          <ColorField
            label={t.links.qr.color}
            value={design.foreground}
            onChange={(foreground) => change({ foreground })}
          />
          <ColorField
            label={t.links.qr.background}
            value={design.background}
            onChange={(background) => change({ background })}
          />
          <NumberInput
            label={t.links.qr.size}
            value={design.size}
            min={64}
            max={2048}
            step={64}
            onChange={(size) => change({ size: Number(size) || PLAIN_DESIGN.size })}
          />
          <NumberInput
            label={t.links.qr.margin}
            value={design.margin}
            min={0}
            max={16}
            onChange={(margin) => change({ margin: Number(margin) })}
          />
        </div>
        <LevelField value={design.level} onChange={(level) => change({ level })} />
      </details>
    </Stack>
  );
}

/** The code as it will be printed. */
export function QrPicture({ shortUrl, design = PLAIN_DESIGN }: { shortUrl: string; design?: QrDesign }) {
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void drawSvg(shortUrl, design).then((drawn) => isCurrent && setSvg(drawn));
    return () => {
      isCurrent = false;
    };
  }, [shortUrl, design]);
  return (
    <div className={styles.picture}>
      {svg === null ? null : <img src={svgAddress(svg)} alt={t.links.qr.of(shortUrl)} width={220} height={220} />}
    </div>
  );
}

function LevelField({ value, onChange }: { value: QrDesign['level']; onChange: (level: QrDesign['level']) => void }) {
  const id = useId();
  return (
    <div>
      <span id={id} className={styles.label}>
        {t.links.qr.level}
      </span>
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        value={value}
        onChange={(level) => onChange(level as QrDesign['level'])}
        data={LEVELS.map((level) => ({ value: level, label: t.links.qr.levels[level] }))}
      />
    </div>
  );
}

function ColorField({ label, value, onChange }: { label: string; value: string; onChange: (color: string) => void }) {
  return (
    <label className={styles.color}>
      <span>{label}</span>
      <input type="color" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}

function svgAddress(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function save(shortUrl: string, ending: string, href: string): void {
  const name = withoutScheme(shortUrl).replace(/[^a-z0-9.-]+/gi, '-');
  Object.assign(document.createElement('a'), { href, download: `${name}.${ending}` }).click();
}
