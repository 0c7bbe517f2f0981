/**
 * The serial source: lines from a character device, a pseudo-terminal or a file.
 */
package io.millrace.gateway.serial;
