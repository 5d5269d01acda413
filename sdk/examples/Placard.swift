// A short client in Swift: one interstitial, from the session to the impression.
// Not compiled: no Swift compiler was at hand.
// The API accepts the platform `android` only, so this client leaves the platform out.
import Foundation

struct Answer {
    let status: Int
    let body: [String: Any]
    let retryAfter: TimeInterval
}

actor Placard {
    private let baseUrl: URL
    private let appKey: String
    private let packageName: String
    private var sessionToken: String?

    init(baseUrl: URL, appKey: String, packageName: String) {
        self.baseUrl = baseUrl
        self.appKey = appKey
        self.packageName = packageName
    }

    private func post(_ path: String, _ body: [String: Any]) async throws -> Answer {
        var request = URLRequest(url: baseUrl.appendingPathComponent(path), timeoutInterval: 5)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let parsed = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        let retryAfter = TimeInterval(http.value(forHTTPHeaderField: "Retry-After") ?? "0") ?? 0
        return Answer(status: http.statusCode, body: parsed, retryAfter: retryAfter)
    }

    /// The token of the session. A 401 of a later call means: call this again with `fresh`.
    private func session(fresh: Bool = false) async throws -> String {
        if let token = sessionToken, !fresh { return token }
        let answer = try await post("sdk/initialize", ["app_key": appKey, "package_name": packageName])
        guard answer.status == 200, let token = answer.body["session_token"] as? String else {
            throw URLError(.userAuthenticationRequired)
        }
        sessionToken = token
        return token
    }

    /// A fill, or nil: then use the fallback of the placement and report it to /events/fallback.
    func requestAd(placement: String, format: String) async throws -> [String: Any]? {
        for attempt in 0..<2 {
            let token = try await session(fresh: attempt > 0)
            let answer = try await post("ads/request", [
                "app_key": appKey, "placement": placement, "format": format, "session_token": token,
            ])
            if answer.status == 200 { return answer.body["status"] as? String == "fill" ? answer.body : nil }
            if answer.status != 401 { return nil }
        }
        return nil
    }

    /// Call it when the ad is on screen. Repeats until the answer is final; a duplicate was accepted before.
    func reportImpression(requestId: String, token: String) async -> Bool {
        var pause: TimeInterval = 1
        while true {
            let answer = try? await post("events/impression", ["request_id": requestId, "impression_token": token])
            switch answer?.status {
            case 200, 409: return true
            case .some(let status) where status != 408 && status != 429 && status < 500: return false
            default: break
            }
            try? await Task.sleep(nanoseconds: UInt64(max(pause, answer?.retryAfter ?? 0) * 1_000_000_000))
            pause = min(pause * 2, 60)
        }
    }
}
