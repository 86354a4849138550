import type { RawRow } from '../outcome.ts';

const option = /^(?:weight=(?<weight>\d+)|backup)$/;

/** Takes a backend as it is typed, `VPS-10001:80:weight=2:backup`, apart into its fields, whose values their own schemas check. */
export function backendFromWord(word: string): RawRow | undefined {
  const [vps, port, ...options] = word.split(':');
  if (vps === undefined || port === undefined || !options.every((part) => option.test(part)))
    return undefined;
  const weight = options
    .map((part) => option.exec(part)?.groups?.weight)
    .find((value) => value !== undefined);
  return {
    vps_name: vps,
    target_port: port,
    is_backup: options.includes('backup'),
    ...(weight !== undefined && { weight }),
  };
}
