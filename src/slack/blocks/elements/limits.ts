/** Slack's limits for messages and views, from docs.slack.dev/reference/block-kit. */
export const limits = {
  messageBlocks: 50,
  /**
   * Slack documents no limit for all blocks together. Apps have reported errors for slightly more
   * characters than this.
   */
  messageChars: 13_000,
  sectionChars: 3_000,
  fields: 10,
  buttonChars: 75,
  buttonValueChars: 2_000,
  buttonsPerBlock: 25,
  optionChars: 75,
  overflowOptions: 5,
  options: 100,
  altTextChars: 2_000,
  idChars: 255,
  labelChars: 2_000,
  hintChars: 2_000,
  placeholderChars: 150,
  headerChars: 150,
  viewBlocks: 100,
  viewBytes: 250_000,
  viewTitleChars: 24,
  privateMetadataChars: 3_000,
  tableColumns: 20,
  tableRows: 100,
  tableChars: 10_000,
} as const;
