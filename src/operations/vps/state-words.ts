/**
 * Matches words for a transitional state. `running`, `existing` and `missing` are excluded, because
 * they aren't transitional. libvirt calls an idle machine `blocked`.
 */
const transitionalStates =
  /(?<!runn|exist|miss)ing(?![a-z])|pending|queued|progress|busy|(?<!b|un)locked|wait|schedul/i;

/** Matches the states of OpenStack that are named after the action that is under way. */
const actionStates = /^((hard|soft)[_ -]?)?(reboot|rebuild|build|resize)$/i;

/** Matches how other languages write that something is under way. */
const foreignTransitionalStates = [
  /\b(en cours|red[eé]marrage|d[eé]marrage|arr[eê]t en)\b/i,
  /\b(wird|startet|f[aä]hrt|in arbeit|neustart)\b/i,
  /\b(en curso|em curso|em andamento|in corso|riavvio|avvio|a (re)?iniciar|\p{L}+(ando|endo))(?!\p{L})/iu,
  /\b(wordt|bezig|herstart|w toku|w trakcie|trwa|\p{L}+anie( się)?)(?!\p{L})/iu,
];

/** Matches an action that has ended, such as `error_deleting`. */
const failedStates = /^(error|failed)\b|^(error|failed)_/i;

/** Words for a state in which nothing is under way. */
const endStates = new Set([
  ...[
    'run',
    'running',
    'on',
    'online',
    'active',
    'up',
    'started',
    'ok',
    'okay',
    'ready',
    'available',
    'done',
  ],
  ...['complete', 'completed', 'finished', 'success', 'successful', 'succeeded', 'normal', 'healthy', 'idle'],
  ...[
    'stopped',
    'off',
    'offline',
    'down',
    'inactive',
    'halted',
    'shutoff',
    'shutdown',
    'poweredon',
    'poweroff',
  ],
  ...[
    'poweredoff',
    'poweron',
    'paused',
    'suspended',
    'hibernated',
    'crashed',
    'dead',
    'terminated',
    'deleted',
  ],
  ...[
    'destroyed',
    'deallocated',
    'rescue',
    'rescued',
    'blocked',
    'unlocked',
    'enabled',
    'disabled',
    'existing',
  ],
  ...['missing', 'expired', 'unhealthy', 'broken', 'corrupt', 'invalid', 'created', 'installed', 'resized'],
  // German, French, Spanish, Italian, Portuguese, Dutch and Polish.
  ...['läuft', 'aktiv', 'gestartet', 'gestoppt', 'angehalten', 'ein', 'an', 'aus', 'ausgeschaltet', 'bereit'],
  ...[
    'encoursdexécution',
    'enmarche',
    'actif',
    'démarré',
    'arrêté',
    'éteint',
    'allumé',
    'enligne',
    'horsligne',
  ],
  ...[
    'enejecución',
    'activo',
    'encendido',
    'apagado',
    'detenido',
    'enlínea',
    'inesecuzione',
    'attivo',
    'acceso',
  ],
  ...[
    'spento',
    'fermo',
    'arrestato',
    'emexecução',
    'ativo',
    'ligado',
    'desligado',
    'parado',
    'actief',
    'aan',
  ],
  ...['uit', 'gestopt', 'draait', 'działa', 'aktywny', 'uruchomiony', 'włączony', 'wyłączony', 'zatrzymany'],
]);

/** Matches what services write before the word: `VM running`, `PowerState/running`, `STATUS_ACTIVE`. */
const prefix = /^(vm|vps|server|instance|power ?state|state|status)[\s_/:.-]+/i;

/** Returns whether a state is transitional. A word of another language is a guess. */
export function isTransitional(state: string): boolean {
  const word = state.trim();
  if (isEndState(word)) return false;
  const patterns = [transitionalStates, actionStates, ...foreignTransitionalStates];
  return patterns.some((pattern) => pattern.test(word)) && !failedStates.test(word);
}

/** Returns whether a state is known to be one in which nothing is under way. */
export function isEndState(state: string): boolean {
  const word = state.trim();
  const bare = word.replace(prefix, '').toLowerCase().normalize('NFC');
  return failedStates.test(word) || endStates.has(bare.replace(/[^\p{L}\p{N}]/gu, ''));
}
