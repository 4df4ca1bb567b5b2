import { useRef, useState } from 'react';
import { refresh } from '../kernel/queries.ts';
import { type ImportOptions, uploadImport } from './uploadImport.ts';
import { watchImport } from './watched.ts';

/** An upload with its progress and a stop. */
export function useUpload(onDone: (importId: string) => void) {
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const stopping = useRef<AbortController>(null);
  const start = async (file: File, options: ImportOptions) => {
    const controller = new AbortController();
    stopping.current = controller;
    setError(null);
    setShare(0);
    try {
      const id = await uploadImport(file, options, setShare, controller.signal);
      // A small file is done before its page has asked for it.
      watchImport(id);
      void refresh(['imports']);
      onDone(id);
    } catch (refused) {
      if (!controller.signal.aborted) setError(refused as Error);
    } finally {
      setShare(null);
    }
  };
  return { start, stop: () => stopping.current?.abort(), share, error };
}
