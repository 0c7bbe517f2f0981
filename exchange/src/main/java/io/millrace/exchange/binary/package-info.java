/**
 * Our binary protocol of order entry: {@code docs/protocols/binary.md}.
 */
package io.millrace.exchange.binary;
