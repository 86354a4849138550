export const actionIds = {
  confirm: 'confirm',
  /** Confirms once the person has typed the required text or reason. */
  confirmTyped: 'confirm:typed',
  /** Confirms a batch at a set pace, once the person has typed the required text or reason. */
  confirmTypedPace: 'confirm:typed-pace',
  /** Confirms with an optional reason. */
  confirmReason: 'confirm:reason',
  confirmSnapshotFirst: 'confirm:snapshot-first',
  /** Confirms a batch and limits how many VPS are changed at a time. */
  confirmPace: 'confirm:pace',
  stopRun: 'run:stop',
  cancel: 'cancel',
  share: 'share',
  page: /^page:(previous|next)$/,
  step: /^step:\d+$/,
  stepMenu: /^step-menu:/,
  secret: 'secret',
  homeRefresh: 'home:refresh',
  homeVps: 'home:vps',
  /** Used by every select whose options are loaded from the hosting service. */
  remoteSelect: 'remote',
  /** Used by the input elements of all other fields in modals. */
  value: 'value',
  rowAdd: 'row:add',
  rowRemove: 'row:remove',
} as const;
