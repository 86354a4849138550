/**
 * Slack's limits for Block Kit. Each line ends with its source, a page below
 * https://docs.slack.dev/reference (`blocks/…`, `block-elements/…` and `composition-objects/…` are
 * below `block-kit/`). Lengths are in UTF-16 units. Slack doesn't say in which unit it counts, and
 * this count is never too low.
 */
export const limits = {
  message: { blocks: 50, attachments: 100, textChars: 40_000 }, // block-kit, methods/chat.postMessage
  /** Slack documents no number for `msg_blocks_too_long`. Developers report a bit more than 13,000. */
  messageBlocksChars: 13_000,
  view: { blocks: 100, bytes: 250_000, metadataChars: 3000, titleChars: 24, buttonChars: 24 }, // views/modal-views, methods/views.open
  idChars: 255, // blocks: block_id; block-elements: action_id; views: callback_id, external_id
  textChars: 3000, // composition-objects/text-object
  urlChars: 3000, // block-elements/button-element, composition-objects/option-object, blocks/image-block
  altTextChars: 2000, // blocks/image-block

  actions: { elements: 25 }, // blocks/actions-block
  alert: { textChars: 200 }, // blocks/alert-block
  card: { titleChars: 150, bodyChars: 200, actions: 3 }, // blocks/card-block
  carousel: { cards: 10 }, // blocks/carousel-block
  chart: { perMessage: 2, titleChars: 50, labelChars: 20, axisChars: 50, series: 12, points: 20 }, // blocks/data-visualization-block
  container: { titleChars: 150, children: 10 }, // blocks/container-block
  context: { elements: 10 }, // blocks/context-block
  contextActions: { elements: 5 }, // blocks/context-actions-block
  dataTable: { rows: 201, columns: 20, pageRows: 100, chars: 20_000 }, // blocks/data-table-block
  header: { textChars: 150, level: 4 }, // blocks/header-block
  image: { titleChars: 2000 }, // blocks/image-block
  input: { labelChars: 2000, hintChars: 2000 }, // blocks/input-block
  markdown: { charsPerMessage: 12_000 }, // blocks/markdown-block
  section: { textChars: 3000, fields: 10, fieldChars: 2000 }, // blocks/section-block
  table: { perMessage: 1, rows: 100, columns: 20, charsPerMessage: 10_000 }, // blocks/table-block
  video: { titleChars: 199, authorChars: 49, descriptionChars: 199 }, // blocks/video-block: "less than"

  button: { textChars: 75, valueChars: 2000, labelChars: 75 }, // block-elements/button-element
  checkboxes: { options: 10 }, // block-elements/checkboxes-element
  fileInput: { files: 10 }, // block-elements/file-input-element
  menu: { options: 100, groups: 100 }, // block-elements/select-menu-element, multi-select-menu-element
  overflow: { options: 5 }, // block-elements/overflow-menu-element
  placeholderChars: 150, // block-elements/plain-text-input-element and every other that has one
  plainTextInput: { chars: 3000 }, // block-elements/plain-text-input-element
  radioButtons: { options: 10 }, // block-elements/radio-button-group-element
  richTextInput: { lines: 100 }, // block-elements/rich-text-input-element
  richTextList: { indent: 8 }, // @slack/types, RichTextList

  confirm: { titleChars: 100, textChars: 300, buttonChars: 30 }, // composition-objects/confirmation-dialog-object
  /** For `value`, @slack/types 3.2 still says 75. */
  option: { textChars: 75, valueChars: 150, descriptionChars: 75 }, // composition-objects/option-object
  optionGroup: { labelChars: 75, options: 100 }, // composition-objects/option-group-object
} as const;
