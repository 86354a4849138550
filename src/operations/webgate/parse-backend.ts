import type { RawRow } from '../define/arguments/raw-input.ts';

const optionPattern = /^(?:weight=(?<weight>\d+)|backup)$/;

/**
 * Parses a typed backend such as `VPS-10001:80:weight=2:backup` into fields. The fields' schemas
 * check the values.
 */
export function parseBackend(word: string): RawRow | undefined {
  const [vps, port, ...options] = word.split(':');
  if (vps === undefined || port === undefined || !options.every((part) => optionPattern.test(part)))
    return undefined;
  const weight = options
    .map((part) => optionPattern.exec(part)?.groups?.weight)
    .find((value) => value !== undefined);
  return {
    vps_name: vps,
    target_port: port,
    is_backup: options.includes('backup'),
    ...(weight !== undefined && { weight }),
  };
}
