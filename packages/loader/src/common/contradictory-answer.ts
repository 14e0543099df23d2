/** The service's answer contradicts itself: a digest in it does not fit the data that it is stated for. */
export class ContradictoryAnswer extends Error {}
