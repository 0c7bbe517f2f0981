/**
 * TLS of order entry, by the JDK's own engine.
 */
package io.millrace.exchange.tls;
