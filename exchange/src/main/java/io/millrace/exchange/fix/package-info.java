/**
 * FIX 4.4: order entry for clients that have a FIX engine.
 */
package io.millrace.exchange.fix;
