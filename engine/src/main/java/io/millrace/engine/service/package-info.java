/**
 * The matching engine on the server: takes pooled commands and publishes pooled executions. It uses threads, pools and
 * flows; book, risk and engine do not.
 */
package io.millrace.engine.service;
