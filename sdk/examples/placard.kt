// A short client in Kotlin for Android: one interstitial, from the session to the impression.
// Not compiled: no Kotlin compiler was at hand. Needs org.json and kotlinx-coroutines.
package com.example.placard

import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import org.json.JSONObject

class Answer(val status: Int, val body: JSONObject, val retryAfterMs: Long?)

class Placard(private val baseUrl: String, private val appKey: String, private val packageName: String) {
    private var sessionToken: String? = null

    private suspend fun post(path: String, body: JSONObject): Answer = withContext(Dispatchers.IO) {
        val connection = URL(baseUrl + path).openConnection() as HttpURLConnection
        connection.requestMethod = "POST"
        connection.setRequestProperty("Content-Type", "application/json")
        connection.connectTimeout = 5_000
        connection.readTimeout = 5_000
        connection.doOutput = true
        connection.outputStream.use { it.write(body.toString().toByteArray()) }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val text = stream.bufferedReader().use { it.readText() }
        val retryAfterMs = connection.getHeaderField("Retry-After")?.toLongOrNull()?.times(1_000)
        Answer(status, JSONObject(text), retryAfterMs)
    }

    /** The token of the session. A 401 of a later call means: call this again with `fresh`. */
    private suspend fun session(fresh: Boolean = false): String {
        sessionToken?.let { if (!fresh) return it }
        val body = JSONObject().put("app_key", appKey).put("package_name", packageName).put("platform", "android")
        val answer = post("/sdk/initialize", body)
        check(answer.status == 200) { answer.body.getJSONObject("error").getString("code") }
        return answer.body.getString("session_token").also { sessionToken = it }
    }

    /** A fill, or null: then use the fallback of the placement and report it to /events/fallback. */
    suspend fun requestAd(placement: String, format: String): JSONObject? {
        repeat(2) { attempt ->
            val body = JSONObject().put("app_key", appKey).put("placement", placement).put("format", format)
                .put("session_token", session(fresh = attempt > 0))
            val answer = post("/ads/request", body)
            if (answer.status == 200) return answer.body.takeIf { it.getString("status") == "fill" }
            if (answer.status != 401) return null
        }
        return null
    }

    /** Call it when the ad is on screen. Repeats until the answer is final; a duplicate was accepted before. */
    suspend fun reportImpression(fill: JSONObject): Boolean {
        val body = JSONObject().put("request_id", fill.getString("request_id"))
            .put("impression_token", fill.getJSONObject("ad").getString("impression_token"))
        var pauseMs = 1_000L
        while (true) {
            val answer = runCatching { post("/events/impression", body) }.getOrNull()
            val status = answer?.status
            if (status == 200 || status == 409) return true
            if (status != null && status != 408 && status != 429 && status < 500) return false
            delay(maxOf(pauseMs, answer?.retryAfterMs ?: 0))
            pauseMs = minOf(pauseMs * 2, 60_000)
        }
    }
}
