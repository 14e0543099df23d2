const PAGE = /^\/console(?!\/assets\/)(?:[/?]|$)/;

/** Whether an address is that of a page below `/console/`, also of one that does not exist. */
export function isPageAddress(address: string): boolean {
  return PAGE.test(address);
}
