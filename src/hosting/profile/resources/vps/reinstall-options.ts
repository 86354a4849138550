import { limitValues } from '../../payload/limit-values.ts';
import { toOtherFields } from '../../payload/list-finder.ts';
import { findUnreadParts } from '../../payload/unread-parts.ts';
import { openPlaces, type Places } from '../../readings/places.ts';
import { systemReadings } from '../../readings/resource-readings.ts';
import { isEmpty, isRecord, normalizeFieldName, type ServiceRecord, toText } from '../../values/records.ts';
import {
  type BodyField,
  findBodyChoices,
  findDeliveries,
  isAboutBody,
  readBodyFields,
} from '../expected-body.ts';
import { isSystemName, type OperatingSystem, readSystems } from './operating-systems.ts';

export interface ReinstallOptions {
  readonly operatingSystems: readonly OperatingSystem[];
  /** Accepted values of `delivery`. Empty if the payload doesn't say. */
  readonly deliveries: readonly string[];
  /** Fields that the service expects in the body besides `os` and `delivery`. */
  readonly extraFields: readonly BodyField[];
  /** The parts of the payload that the systems don't contain. */
  readonly otherFields: ServiceRecord;
  /** Whether the payload had more values than are read. */
  readonly isCut?: true;
}

/** Matches normalized names of fields that contain systems. */
const systemsFieldPattern =
  /^((available|supported|allowed)?(os(es)?|oslist|osoptions|oschoices|operatingsystems?(list)?|systems?|systeme|betriebssysteme|templates?(kvm|xen|lxc|openvz|hvm)?|images?|isos?|distributions?|distros?)|(os|template|image)?(categories|families|groups))$/;
const containerPattern =
  /^(items|data|results?|list|entries|records|rows|values|content|response|reinstall|available|options|)$/;
const maxDepth = 4;

/** Reads the operating systems for a reinstall, and which body to send. */
export function readReinstallOptions(payload: unknown): ReinstallOptions {
  const { data, isCut } = limitValues(payload);
  const places = openPlaces(data);
  const search = openPlaces(data, { isSearch: true });
  const { systems, toRemainder } = takeSystems(data, isSystemsPlace, places) ??
    takeSystems(data, createLikelyPlace(search), places) ?? {
      systems: readBodySystems(data),
      toRemainder: () => data,
    };
  const chosenDeliveries = places
    .findChosen(systemReadings.delivery)
    ?.flatMap((value) => toText(value) ?? []);
  const operatingSystems = deduplicate(systems);
  const extraFields = readBodyFields(data).filter(
    ({ name }) => name !== 'os' && normalizeFieldName(name) !== 'delivery',
  );
  return {
    operatingSystems,
    deliveries: [...new Set(chosenDeliveries ?? findDeliveries(data))],
    extraFields,
    otherFields: toOtherFields(toRemainder(operatingSystems)),
    ...(isCut && { isCut }),
  };
}

/** Reads the systems that the description of the body lists as values of `os`. */
function readBodySystems(data: unknown): readonly OperatingSystem[] {
  const choices = findBodyChoices(data, 'os');
  const isList = choices.length > 1 || choices.some((os) => isSystemName(os));
  return isList ? choices.map((os) => ({ os, record: { os } })) : [];
}

/** Returns whether a value describes the body to send, as HAL-FORMS does in `_templates`. */
function describesBody(value: unknown): boolean {
  return isRecord(value) && readBodyFields(value).some(({ name }) => name === 'os');
}

type IsPlace = (field: string, value: unknown) => boolean;

interface Taken {
  readonly systems: readonly OperatingSystem[];
  /** Returns the parts of the payload that these systems don't contain. */
  readonly toRemainder: (kept: readonly OperatingSystem[]) => unknown;
}

/** Finds the systems in a payload. Returns undefined if there are none. */
function takeSystems(
  data: unknown,
  isPlace: IsPlace,
  places: Places,
  field = '',
  depth = maxDepth,
): Taken | undefined {
  if (isPlace(field, data) && !describesBody(data)) {
    const systems = readSystems(data, { places });
    if (systems.length > 0) return { systems, toRemainder: (kept) => findUnread(data, kept) };
  }
  if (!isRecord(data) || depth === 0) return undefined;
  const taken = Object.entries(data).map(([name, value]) => ({
    name,
    value,
    taken:
      isAboutBody(name) || typeof value !== 'object'
        ? takeText(name, value, places)
        : takeSystems(value, isPlace, places, name, depth - 1),
  }));
  const systems = taken.flatMap(({ taken: found }) => found?.systems ?? []);
  if (systems.length === 0) return undefined;
  return {
    systems,
    toRemainder: (kept) =>
      Object.fromEntries(
        taken.flatMap(({ name, value, taken: found }): [string, unknown][] => {
          const remaining = found ? found.toRemainder(kept) : value;
          return isEmpty(remaining) && found ? [] : [[name, remaining]];
        }),
      ),
  };
}

/** Reads several systems from one string: `templates_kvm: 'debian-12,ubuntu-24.04'`. */
function takeText(field: string, value: unknown, places: Places): Taken | undefined {
  const isList =
    typeof value === 'string' && value.includes(',') && systemsFieldPattern.test(normalizeFieldName(field));
  const systems = isList ? readSystems(value, { places }) : [];
  return systems.length > 0 ? { systems, toRemainder: () => undefined } : undefined;
}

function isSystemsPlace(field: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const name = normalizeFieldName(field);
  return systemsFieldPattern.test(name) || (containerPattern.test(name) && isListOfItems(value));
}

function isListOfItems(value: object): boolean {
  return Array.isArray(value) && value.length > 0;
}

/**
 * Returns whether most entries of a list, or of each entry of a map, are named like systems. Used if the
 * field's own name is unknown.
 */
function createLikelyPlace(places: Places): IsPlace {
  const areNamed = (value: unknown) => {
    const systems = readSystems(value, { places });
    const named = systems.filter(({ os, label = '' }) => isSystemName(`${os} ${label}`));
    return named.length * 2 > systems.length || systems.length === 0;
  };
  return (_field, value) => {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return areNamed(value);
    const entries = Object.entries(value);
    return entries.every(([key, inner]) => !isAboutBody(key) && areNamed({ [key]: inner }));
  };
}

function findUnread(place: unknown, systems: readonly OperatingSystem[]): unknown {
  return findUnreadParts(
    place,
    systems.map(({ record }) => record),
  );
}

function deduplicate(systems: readonly OperatingSystem[]): readonly OperatingSystem[] {
  return [...new Map(systems.map((system) => [system.os, system])).values()];
}
