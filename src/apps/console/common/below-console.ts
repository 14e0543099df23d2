const PAGE = /^\/console(?!\/assets\/)(?:[/?]|$)/;

/** Whether an address is that of a page below `/console/`, even if the page does not exist. */
export function isPageAddress(address: string): boolean {
  return PAGE.test(address);
}
