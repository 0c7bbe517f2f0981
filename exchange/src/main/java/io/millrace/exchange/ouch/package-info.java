/**
 * A subset of OUCH 5.0: order entry in SoupBinTCP packets.
 */
package io.millrace.exchange.ouch;
