import { bytesPerSecondPerUnit } from '../hosting/readings/units.ts';
import { type Condition, type Figured, isInBits } from './condition.ts';

const examples: Readonly<Record<Figured['measure'], string>> = {
  cpu: 'CPU is compared with a percentage, as in 90%',
  memory: 'Memory is compared with a percentage, as in 95%',
  disk: 'A disk is compared with a percentage, as in 85%',
  traffic: 'Traffic is compared with an amount per second, as in 50 MB/s or 400 Mbit/s',
};

/** Some services count each core. */
const mostCpuPercent = 6_400;

export type ReadFigure =
  | { readonly ok: true; readonly figure: number }
  | { readonly ok: false; readonly problem: string };

/** Reads a threshold as a person writes it beside what it is of: percent, or bytes per second. */
export function readFigure(
  { measure, is }: Pick<Figured, 'measure' | 'is'>,
  written: string | undefined,
): ReadFigure {
  const problem = examples[measure];
  const figure = written && (measure === 'traffic' ? readRate(written) : readPercent(written));
  if (figure === undefined || figure === '') return { ok: false, problem };
  if (figure <= 0) return { ok: false, problem: `A threshold is more than 0: ${problem}` };
  const most = measure === 'cpu' ? mostCpuPercent : 100;
  if (measure !== 'traffic' && (figure > most || (measure !== 'cpu' && is === 'over' && figure === most)))
    return { ok: false, problem: `It is never over ${most} %: ${problem}` };
  return { ok: true, figure };
}

function readPercent(written: string): number | undefined {
  const [, number] = /^(\d{1,5}(?:[.,]\d{1,3})?)\s*(?:%|percent)?$/i.exec(written.trim()) ?? [];
  return number === undefined ? undefined : Number(number.replace(',', '.'));
}

const rate = /^(\d{1,12}(?:[.,]\d{1,3})?)\s*([a-z]+(?:\s*\/\s*s\w*)?)$/i;

function readRate(written: string): number | undefined {
  const [, number, unit = ''] = rate.exec(written.trim()) ?? [];
  const factor = bytesPerSecondPerUnit(unit);
  return number === undefined || factor === undefined ? undefined : Number(number.replace(',', '.')) * factor;
}

const megabitBytes = 125_000;
const megabyteBytes = 2 ** 20;

/** Writes a threshold as it is typed. */
export function typeFigure(watched: Figured): string {
  const { measure, figure } = watched;
  if (measure !== 'traffic') return `${figure}%`;
  if (isInBits(watched)) return `${figure / megabitBytes} Mbit/s`;
  return `${Number((figure / megabyteBytes).toFixed(3))} MB/s`;
}

const minuteMs = 60_000;

/** Writes how long a condition has to hold as it is typed. */
export function typeLength({ forMs }: Pick<Condition, 'forMs'>): string {
  const isHours = forMs > 0 && forMs % (60 * minuteMs) === 0;
  if (isHours) return `${forMs / (60 * minuteMs)}h`;
  return forMs % minuteMs === 0 ? `${forMs / minuteMs}m` : `${forMs / 1_000}s`;
}
