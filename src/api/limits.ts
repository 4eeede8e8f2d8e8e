/** The most events that one answer lists (specification 4, rule 1, and section 8). */
export const mostEvents = 200;

/** The version of the interface (specification 9). */
export const interfaceVersion = 1;
