import { createHmac } from 'node:crypto';
import { Pool } from 'undici';

/** Posts a body again and again, signed each time, with nothing written down: the limit of this machine. */
process.once('message', async ({ url, sample, total, inFlight }: Order) => {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: inFlight });
  let left = total;
  const lane = async () => {
    while (left-- > 0) {
      const seconds = Math.floor(Date.now() / 1000);
      const hex = createHmac('sha256', 'whsec_of_a_benchmark').update(`${seconds}.`).update(sample.body).digest('hex');
      const headers = { ...sample.headers, 'svc-signature': `t=${seconds},v1=${hex}` };
      const { body } = await pool.request({ method: 'POST', path: pathname, headers, body: sample.body });
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
});

interface Order {
  url: string;
  sample: { headers: Record<string, string>; body: string };
  total: number;
  /** Requests at once. */
  inFlight: number;
}
