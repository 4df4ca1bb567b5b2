import { Button } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { formatBytes } from '../kernel/numbers.ts';
import { t } from '../texts/index.ts';
import { IconUpload } from '../ui/icons.ts';
import styles from './imports.module.css';

interface FileFieldProps {
  file: File | null;
  onChange: (file: File) => void;
}

/** A file to be dropped or chosen. */
export function FileField({ file, onChange }: FileFieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onChange(dropped);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <section
      aria-label={t.imports.file}
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={drag}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <IconUpload size={22} aria-hidden />
      <p>{file ? t.imports.chosen(file.name, formatBytes(file.size)) : t.imports.drop}</p>
      <input
        ref={ref}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={t.imports.file}
        onChange={({ currentTarget: { files } }) => files?.[0] && onChange(files[0])}
      />
      <Button variant="default" onClick={() => ref.current?.click()}>
        {file ? t.imports.another : t.imports.choose}
      </Button>
    </section>
  );
}
