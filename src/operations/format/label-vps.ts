import type { Outcome } from '../define/outcome.ts';
import type { DisplayNames } from '../define/target-state.ts';
import { formatVpsLabel } from './vps-label.ts';

const labelPattern = /^(?<name>.+) \((?<vpsName>VPS-[A-Za-z0-9_-]+)\)$/s;

/** Matches a VPS name that stands alone: not in a host name, a label, or at the start of a quoted name. */
const vpsNamePattern = /(?<![\w.("-])VPS-[A-Za-z0-9_-]+(?!\.\w)/g;

/** Replaces VPS names in text by their labels: `VPS-10001` becomes `web-01 (VPS-10001)`. */
export type LabelVps = (text: string) => string;

/** Creates a function that labels the VPS for which an input has display names. */
export function createLabelVps(displayNames: DisplayNames = {}): LabelVps {
  const labels = new Map(listVpsNames(displayNames).map(([vpsName, name]) => [vpsName, name]));
  if (labels.size === 0) return (text) => text;
  return (text) => text.replace(vpsNamePattern, (vpsName) => formatVpsLabel(vpsName, labels.get(vpsName)));
}

/** Labels the VPS in the sentences of an outcome. Fields from the service stay unchanged. */
export function labelOutcome<O extends Outcome>(outcome: O, displayNames: DisplayNames | undefined): O {
  const labelVps = createLabelVps(displayNames);
  const { title, notes, chart } = outcome;
  return {
    ...outcome,
    title: labelVps(title),
    ...(notes && { notes: notes.map(labelVps) }),
    ...(chart && {
      chart: {
        ...chart,
        spec: { ...chart.spec, title: labelVps(chart.spec.title) },
        takeaway: labelVps(chart.takeaway),
      },
    }),
  };
}

/** Returns the names by which people can mean `text`: the text itself and, for a VPS, its name and label. */
export function listNamesFor(text: string, displayNames: DisplayNames = {}): readonly string[] {
  const label = Object.values(displayNames);
  return [
    text,
    ...listVpsNames(displayNames)
      .filter(([vpsName]) => vpsName === text)
      .flatMap(([, name]) => [name, ...label]),
  ];
}

function listVpsNames(displayNames: DisplayNames): readonly (readonly [vpsName: string, name: string])[] {
  return Object.values(displayNames).flatMap((label) => {
    const { name, vpsName } = labelPattern.exec(label)?.groups ?? {};
    return name === undefined || vpsName === undefined ? [] : [[vpsName, name] as const];
  });
}
